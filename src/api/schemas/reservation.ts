import { z } from 'zod';
import { actions } from '../../lifecycle/index.js';

const moment = z.string();
const grade = z.enum(['observed', 'asserted', 'commanded', 'corroborated', 'inferred']);
const staff = z.object({ staffName: z.string(), staffPhone: z.string() }).nullable();
const photo = z
  .object({ hash: z.string().nullable(), type: z.string(), at: moment, outdated: z.boolean() })
  .nullable();
const person = { name: z.string(), birth: z.string(), phone: z.string(), licenseNumber: z.string() };

export const command = z
  .object({
    commandId: z.string(),
    action: z.enum(actions),
    outcome: z.enum(['queued', 'out', 'waiting', 'suspended', 'applied', 'rejected', 'unknown']),
    by: z.string(),
    at: moment,
    settledAt: moment.nullable(),
    settledBy: z.enum(['answer', 'callback', 'person']).nullable(),
    code: z.string().nullable(),
    message: z.string().nullable(),
    attempts: z.int(),
    override: z.object({ reason: z.string().nullable() }).nullable(),
  })
  .describe('A staff action; its outcome may still be open');

/** One reservation; personal data is null for viewers (L60). */
export const reservation = z
  .object({
    reservationId: z.int(),
    status: z.object({
      code: z.int().nullable(),
      name: z.string(),
      grade: grade.nullable().describe('Why it is believed'),
      since: moment.nullable(),
    }),
    expected: z
      .object({ code: z.int(), by: moment.nullable() })
      .nullable()
      .describe('What should come next: a prediction, never a fact'),
    display: z.enum(['assigned-car', 'in-use', 'use-completed']).nullable(),
    registered: z.boolean(),
    marks: z.array(z.string()),
    period: z.object({ start: moment, end: moment, changes: z.int(), grade }).nullable(),
    car: z.object({ id: z.int(), number: z.string().nullable(), changes: z.int(), grade }).nullable(),
    company: z.object({ id: z.int(), name: z.string() }).nullable(),
    service: z.object({ id: z.int(), name: z.string() }).nullable(),
    productId: z.int().nullable(),
    createdAt: moment.nullable(),
    pickup: z.object({ address: z.string().nullable(), memo: z.string().nullable() }),
    driver: z.object({ ...person, address: z.string() }).nullable(),
    companion: z.object(person).partial().nullable(),
    parking: z.object({
      memo: z.string().nullable(),
      imageUrl: z.string().nullable(),
      lotType: z.int().nullable(),
    }),
    driving: z.object({ start: moment.nullable(), end: moment.nullable() }),
    dispatch: z.object({
      staff,
      startedAt: moment.nullable(),
      parkingImage: photo,
      carImage: photo,
      completedAt: moment.nullable(),
    }),
    recall: z.object({ staff, carImage: photo, completedAt: moment.nullable() }),
    attention: z.array(z.object({ kind: z.string(), since: moment, message: z.string() })),
    commands: z.array(command),
    closed: z.boolean(),
  })
  .describe('One reservation as it is believed to be');

/** What the API shows of a reservation: a `ReservationView` in which personal data may be null. */
export type VisibleReservation = z.output<typeof reservation>;
