import { z } from 'zod';
import { attentionOfHolds, holdStates } from '../../domain/hold/index.js';
import { type Issue, inOneText } from '../http/field-lines.js';
import {
  commandId,
  idText,
  instant,
  moment,
  pageLimit,
  platformMessage,
  positiveId,
  rowCursor,
  words,
} from '../http/fields.js';
import { listOf } from '../http/list-route.js';
import { expected } from '../messages/expected.js';

const reason = words(200);

const directHold = z.strictObject({
  carId: positiveId,
  startAt: instant.describe('ISO 8601 with an offset; slightly past counts as now'),
  endAt: instant,
  reason: reason.describe('Such as maintenance, inspection or retrieve-car; what staff read on the platform'),
  withdrawFromSale: z
    .boolean()
    .exactOptional()
    .describe('true: also not on sale, in every product that holds the car, from start to end (F03)'),
});
/** Ids of proposals, and of the holds that were made of them. */
export const proposalIds = /^(?:retrieve-car|overdue-return)-[1-9]\d{0,15}$/;

const proposedHold = z.strictObject({
  proposalId: z.string().regex(proposalIds, expected('field.proposal', {})),
});
/** Body of POST /api/holds: a hold, or a reservation's proposal of one (F14). */
export const holdBody = z.union([proposedHold, directHold], {
  error: ({ input, errors }) => explainMismatch(input, errors as Issue[][]) ?? eitherOr,
});
const eitherOr = expected('field.hold', {});

/** The problems of the form that the body was meant to have; undefined where it is neither form or both. */
function explainMismatch(input: unknown, [proposed = [], direct = []]: Issue[][]): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const isProposed = 'proposalId' in input;
  const fields = Object.keys(input).length;
  if (fields === 0 || (isProposed && fields > 1)) return undefined;
  const issues = isProposed ? proposed : direct;
  return inOneText(issues);
}

export const holdParams = z.object({ id: commandId.describe('Hold id') });

export const changeHoldBody = z
  .strictObject({
    startAt: instant.exactOptional(),
    endAt: instant.exactOptional(),
    reason: reason.exactOptional(),
  })
  .refine((body) => Object.keys(body).length > 0, { message: expected('field.hold-change', {}) })
  .meta({ minProperties: 1 });

/** An absent body counts as an empty one. */
export const releaseHoldBody = z.preprocess(
  (body) => body ?? {},
  z.strictObject({ reason: reason.exactOptional().describe('Stored in the audit') }),
);
export const resolveHoldBody = z.strictObject({ reason });

export const holdListQuery = z.strictObject({
  carId: idText.exactOptional(),
  state: z.enum(holdStates).exactOptional(),
  open: z
    .enum(['true', 'false'], { error: expected('field.either', { values: ['true', 'false'] }) })
    .transform((text) => text === 'true')
    .exactOptional(),
  from: instant.exactOptional(),
  to: instant.exactOptional(),
  cursor: rowCursor,
  limit: pageLimit,
});

const period = z.object({ start: moment, end: moment });
const facts = {
  holdId: z.string(),
  carId: z.int(),
  state: z.enum(holdStates),
  open: z.boolean(),
  period,
  withdrawFromSale: z.boolean(),
  reservationId: z.int().nullable().describe('Whose proposal it was'),
  createdAt: moment,
  endedAt: moment.nullable(),
};
const refused = z
  .object({
    code: z.string(),
    message: z.string().nullable(),
    platformMessage,
    inTheWay: z
      .array(period.extend({ scheduleId: z.int(), type: z.enum(['R', 'S']), holdId: z.string().nullable() }))
      .optional(),
    free: z.object({ before: period.nullable(), after: period.nullable() }).optional(),
  })
  .nullable();

export const holdShown = z
  .object({
    ...facts,
    carNumber: z.string().nullable(),
    reason: z.string().nullable().describe('Null for viewers'),
    by: z.string(),
    schedule: z
      .object({ scheduleId: z.int().nullable(), state: z.string() })
      .describe("The entry in the platform's schedule, as far as it is known"),
    memoId: z.int().nullable(),
    sale: z.array(z.object({ productId: z.int(), state: z.string() })),
    attention: z.array(
      z.object({
        kind: z.enum(attentionOfHolds),
        since: moment,
        code: z.string(),
        message: z.string().nullable(),
        left: z.array(z.string()).describe('What is in place, such as schedule/17 or product/301'),
      }),
    ),
    refused,
    commands: z.array(
      z.object({
        commandId: z.string(),
        action: z.enum(['create', 'change', 'release', 'resolve']),
        by: z.string(),
        at: moment,
        outcome: z.enum(['out', 'applied', 'rejected']),
        refused,
      }),
    ),
  })
  .describe('A car out of service');
export type VisibleHold = z.infer<typeof holdShown>;

export const holdList = listOf(z.object({ ...facts, attention: z.array(z.enum(attentionOfHolds)) })).describe(
  'Holds, newest first',
);
