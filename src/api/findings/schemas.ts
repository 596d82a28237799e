import { z } from 'zod';
import { findingKinds } from '../../domain/reconciliation/index.js';
import { idText, moment, pageLimit, positiveId, rowCursor, words } from '../http/fields.js';
import { listOf } from '../http/list-route.js';
import { expected } from '../messages/expected.js';
import { assertedStatus } from '../reservations/decision-schemas.js';

const states = ['seen', 'open', 'adopted', 'gone'] as const;

export const findingQuery = z.strictObject({
  kind: z.enum(findingKinds, { error: expected('field.one-of', { values: findingKinds }) }).exactOptional(),
  state: z
    .enum(states, { error: expected('field.one-of', { values: states }) })
    .exactOptional()
    .describe('`seen`: in one reading so far; `open`: in two or more'),
  cursor: rowCursor,
  limit: pageLimit,
});

export const findingParams = z.object({ id: idText.describe('Number of the finding') });

export const adoptBody = z.strictObject({
  reservationId: positiveId,
  status: assertedStatus.exactOptional(),
  reason: words(500),
});

export const finding = z
  .object({
    id: z.int(),
    kind: z.enum(findingKinds),
    state: z.enum(states),
    scheduleId: z.int().nullable().describe("The entry of the platform's schedule; null: there is none"),
    carId: z.int().describe('Of the entry; where there is none, as believed'),
    period: z.object({ start: moment, end: moment }).describe('As the car'),
    reservationId: z.int().nullable().describe('Null: its reservation is unknown'),
    firstSeenAt: moment,
    lastSeenAt: moment,
    reads: z.int().describe('In how many readings in a row it was seen'),
    closedAt: moment.nullable(),
  })
  .describe("What the platform's schedule and the reservations do not agree on");

export const findingList = listOf(finding);
