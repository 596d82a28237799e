import { z } from 'zod';
import { attentionKinds } from '../../domain/reservation/index.js';
import { idText, instant, moment, pageLimit } from '../http/fields.js';
import { listOf } from '../http/list-route.js';
import { expected } from '../messages/expected.js';

const toArray = (given: unknown) => (typeof given === 'string' ? [given] : given);

export const scheduleQuery = z.strictObject({
  from: instant,
  to: instant,
  carId: z
    .preprocess(toArray, z.array(idText).min(1).max(500))
    .exactOptional()
    .describe('Repeated for each of several cars'),
  cursor: z.string().max(16, expected('field.cursor', {})).exactOptional(),
  limit: pageLimit,
});

const period = { startAt: moment, endAt: moment };
export const scheduleBar = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('reservation'),
    ...period,
    reservationId: z.int(),
    status: z.object({ code: z.int().nullable(), name: z.string() }),
    attention: z.array(z.enum(attentionKinds)),
    atRisk: z.boolean().describe('The next reservation of the car is at risk'),
    overdue: z.boolean().describe('The car is with the customer after `endAt`: it is occupied until now'),
  }),
  z.object({ type: z.literal('hold'), ...period, holdId: z.string(), state: z.string() }),
  z
    .object({
      type: z.literal('entry'),
      ...period,
      scheduleId: z.int(),
      readAt: moment.describe(
        'When a reading last had it; it stays until a later one reads its car on its days',
      ),
    })
    .describe("An S entry of the platform's schedule that no hold of ours made"),
  z
    .object({
      type: z.literal('finding'),
      ...period,
      findingId: z.int(),
      kind: z.string(),
      scheduleId: z.int().nullable(),
    })
    .describe("An R entry of the platform's schedule that belongs to no reservation here"),
]);

export const scheduleList = listOf(
  z.object({
    carId: z.int(),
    carNumber: z.string().nullable().describe('Of a reservation of the car'),
    bars: z.array(scheduleBar),
  }),
).describe('Cars by their id, each with what takes it within the period, as far as it is known here');
