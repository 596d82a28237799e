import { z } from 'zod';
import { attentionKinds } from '../../domain/reservation/index.js';
import { countText, idText, instant, moment, pageLimit, rowCursor } from '../http/fields.js';
import { listOf } from '../http/list-route.js';

export const listQuery = z.strictObject({
  closed: z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .transform((text) => text === 'true')
    .exactOptional()
    .describe('true: reservations that are closed, the last closed first'),
  status: countText.exactOptional().describe('A status code, such as 15'),
  carId: idText.exactOptional(),
  attention: z.enum(attentionKinds).exactOptional(),
  from: instant.exactOptional(),
  to: instant.exactOptional(),
  cursor: z.string().max(4096, 'expected nextCursor of an earlier answer').exactOptional(),
  limit: pageLimit,
});

export const reservationList = listOf(
  z.object({
    reservationId: z.int(),
    status: z.object({ code: z.int().nullable(), name: z.string() }),
    carId: z.int().nullable(),
    companyId: z.int().nullable(),
    period: z.object({ start: moment, end: moment }).nullable(),
    attention: z.array(z.string()),
    closed: z.boolean(),
  }),
).describe('Open reservations, in no promised order, which may lag behind a moment; or closed ones');

/** One entry of a reservation's timeline. */
export const timelineEntry = z.object({
  seq: z.int(),
  at: moment,
  kind: z.enum(['event', 'command', 'timer', 'decision']),
  rule: z.string(),
  text: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export const timelineList = listOf(timelineEntry).describe('The story of one reservation, oldest line first');

export const timelineQuery = z.strictObject({ cursor: rowCursor, limit: pageLimit });
