import { z } from 'zod';
import { actions, attentionKinds, grades, plainFacts } from '../../domain/reservation/index.js';
import { driver, moment, named, person, platformMessage } from '../http/fields.js';

const grade = z.enum(grades);
const source = z
  .object({ kind: z.enum(['event', 'command', 'person', 'schedule', 'inference']), id: z.string() })
  .describe(
    "Where it comes from: an event (`/api/inbox/{id}`), a command, a person, an entry of the platform's schedule, or the status code that implies it",
  );
/** The evidence of a fact, its source, and since when it is believed. */
const evidence = { grade, source, at: moment };
const staff = z.object({ staffName: z.string(), staffPhone: z.string(), ...evidence }).nullable();
const photo = z
  .object({ hash: z.string().nullable(), type: z.string(), ...evidence, outdated: z.boolean() })
  .nullable();

export const command = z
  .object({
    commandId: z.string(),
    action: z.enum(actions),
    outcome: z.enum(['queued', 'out', 'waiting', 'suspended', 'applied', 'rejected', 'unknown']),
    by: z.string(),
    at: moment,
    settledAt: moment.nullable(),
    settledBy: z.enum(['answer', 'callback', 'person']).nullable(),
    resolvedBy: z.string().exactOptional().describe('Who stated its outcome (L24)'),
    code: z.string().nullable(),
    message: z.string().nullable(),
    platformMessage,
    attempts: z.int(),
    override: z.object({ reason: z.string().nullable() }).nullable(),
  })
  .describe('A staff action; its outcome may still be open');

const decision = z
  .object({
    at: moment,
    by: z.string(),
    about: z.enum(['facts', ...attentionKinds]),
    reason: z.string().nullable(),
  })
  .describe('Facts that a person asserted, or an attention item that a person resolved');

const doneStep = z
  .object({ at: moment, grade: grade.nullable(), source: source.nullable(), outdated: z.boolean() })
  .describe('Why it is believed to be done; `outdated`: a photo of a car that has been replaced since');

const actionOption = z
  .object({
    action: z.enum(actions),
    done: doneStep.nullable().describe('Null: the step is not done'),
    state: z
      .enum(['next', 'allowed', 'needs-override', 'refused'])
      .describe('`next` is the recommended one; `needs-override` is sent with `override: true` and a reason'),
    code: z.string().nullable().describe('Why it is not accepted as it is'),
    message: z.string().nullable(),
  })
  .describe('A staff action, and whether it is accepted now');

const note = z
  .object({
    commandId: z.string(),
    carId: z.int().nullable(),
    by: z.string(),
    at: moment,
    text: z.string().nullable().describe('Null once it is a memo on the platform'),
    outcome: z.enum(['pending', 'applied', 'rejected', 'unknown']),
    memoId: z.int().nullable(),
    code: z.string().nullable(),
  })
  .describe('What was noted when the recall was completed, on its way to the memos of the car');
const danger = z
  .object({
    entry: z.object({
      scheduleId: z.int(),
      type: z.enum(['R', 'S']),
      reservationId: z.int().nullable().describe('Where it is known here whose entry it is'),
      startAt: moment,
      endAt: moment,
    }),
    candidates: z
      .array(z.object({ id: z.int(), number: z.string().nullable() }))
      .nullable()
      .describe('Cars of the same product, free for its period and on sale'),
    checkedAt: moment,
  })
  .describe('The next reservation at risk, where the car is not back');

const proposal = z
  .object({
    proposalId: z.string(),
    carId: z.int(),
    startAt: moment,
    endAt: moment,
    noLaterThan: moment.exactOptional().describe('Where the next entry of the car begins'),
    reason: z.enum(['retrieve-car', 'overdue-return']),
  })
  .describe('A hold of the car that one request accepts; accepted later, it starts then and is as long');

/** One reservation; personal data is null for viewers (L60). */
export const reservation = z
  .object({
    reservationId: z.int(),
    sequence: z.int().describe('Of two answers the one with the higher is the later'),
    status: z.object({
      code: z.int().nullable(),
      name: z.string(),
      grade: grade.nullable().describe('Why it is believed'),
      source: source.nullable(),
      since: moment.nullable(),
    }),
    expected: z
      .object({ code: z.int(), by: moment.nullable() })
      .nullable()
      .describe('What should come next: a prediction, never a fact'),
    display: z.enum(['assigned-car', 'in-use', 'use-completed']).nullable(),
    registered: z.boolean(),
    booking: z
      .object({
        commandId: z.string(),
        at: moment,
        settledBy: z.enum(['answer', 'callback', 'person']),
        status: z.string().nullable().describe("The platform's own string, stored raw (G12)"),
        carNumber: z.string().nullable(),
      })
      .exactOptional()
      .describe('Where it was booked through this deployment'),
    marks: z.array(z.string()),
    period: z.object({ start: moment, end: moment, changes: z.int(), ...evidence }).nullable(),
    car: z.object({ id: z.int(), number: z.string().nullable(), changes: z.int(), ...evidence }).nullable(),
    company: named.nullable(),
    service: named.nullable(),
    productId: z.int().nullable(),
    createdAt: moment.nullable(),
    pickup: z.object({ address: z.string().nullable(), memo: z.string().nullable() }),
    driver: z.object(driver).nullable(),
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
    recall: z.object({ staff, carImage: photo, completedAt: moment.nullable(), note: note.nullable() }),
    evidence: z
      .partialRecord(z.enum(plainFacts), z.object(evidence))
      .describe('Why each plain value is believed, by its path'),
    attention: z.array(
      z.object({
        kind: z.string(),
        since: moment,
        message: z.string(),
        owner: z
          .string()
          .nullable()
          .exactOptional()
          .describe('Who claimed it; absent: of a closed reservation, or the database gave no answer'),
      }),
    ),
    danger: danger.nullable(),
    proposals: z.array(proposal),
    commands: z.array(command),
    actions: z
      .array(actionOption)
      .describe(
        'What becomes of each staff action now, in the recommended order; empty where an earlier version wrote it',
      ),
    decisions: z.array(decision).describe('The newest 16'),
    closed: z.boolean(),
  })
  .describe('One reservation as it is believed to be');

/** What the API shows of a reservation: a `ReservationView` in which personal data may be null. */
export type VisibleReservation = z.output<typeof reservation>;
