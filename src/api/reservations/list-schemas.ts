import { z } from 'zod';
import { actions, attentionKinds } from '../../domain/reservation/index.js';
import { countText, idText, instant, moment, pageLimit, rowCursor, rowLimit, words } from '../http/fields.js';
import { listOf } from '../http/list-route.js';
import { expected } from '../messages/expected.js';

const openFilters = {
  productId: idText.exactOptional().describe('Open ones only'),
  owner: words(200).exactOptional().describe('An attention item is claimed by this person; open ones only'),
  q: words(40)
    .exactOptional()
    .describe('A reservation id, a plate, or the last four digits of one; open ones only'),
};

const yesOrNo = z
  .enum(['true', 'false'], { error: expected('field.either', { values: ['true', 'false'] }) })
  .transform((text) => text === 'true');

export const listQuery = z.strictObject({
  closed: yesOrNo.exactOptional().describe('true: reservations that are closed, the last closed first'),
  status: countText.exactOptional().describe('A status code, such as 15'),
  carId: idText.exactOptional(),
  attention: z
    .enum(['any', ...attentionKinds])
    .exactOptional()
    .describe('A kind of item that is open; `any`: at least one is'),
  from: instant.exactOptional(),
  to: instant.exactOptional(),
  carNumber: words(40).exactOptional().describe('A plate, or its last four digits; open ones only'),
  since: instant.exactOptional().describe('Changed at this moment or later; open ones only'),
  next: z.enum(actions).exactOptional().describe('The action that staff take next; open ones only'),
  ...openFilters,
  cursor: z.string().max(4096, expected('field.cursor', {})).exactOptional(),
  limit: pageLimit,
});

/** Which reservations the board shows. */
export const boardQuery = z.strictObject({
  attention: z.enum(attentionKinds).exactOptional(),
  ...openFilters,
  mine: yesOrNo
    .exactOptional()
    .describe(
      "true: only those that name the caller: the caller's login claimed an attention item, or is the whole name of the staff that " +
        'dispatches (recalls from 15 on); for viewers only the claims count',
    ),
  limit: rowLimit.exactOptional().describe('Rows of each lane; 40 where it is absent'),
});

/** A body: a name in an address would be in the logs of proxies. */
export const personSearch = z.strictObject({
  person: words(200).describe(
    'The whole name of a driver, the companion, or the staff that dispatches or recalls',
  ),
  cursor: z.string().max(4096, expected('field.cursor', {})).exactOptional(),
  limit: pageLimit,
});

export const reservationList = listOf(
  z.object({
    reservationId: z.int(),
    status: z.object({ code: z.int().nullable(), name: z.string() }),
    carId: z.int().nullable(),
    companyId: z.int().nullable(),
    period: z.object({ start: moment, end: moment }).nullable(),
    attention: z
      .array(z.string())
      .describe('Open items, the gravest first; of a closed one, those that were open at its end'),
    carNumber: z.string().nullable().describe('Of an open one'),
    next: z
      .object({ action: z.enum(actions), target: z.int().nullable() })
      .nullable()
      .describe('Of an open one: the action that staff take next, and the status that it moves to'),
    owner: z.string().nullable().describe('Who claimed its gravest item'),
    owners: z.record(z.string(), z.string()).describe('Who claimed its items, by their kind'),
    closed: z.boolean(),
  }),
)
  .extend({ count: z.int().exactOptional().describe('How many match, on all pages; open ones only') })
  .describe('Open reservations by the start of their period; or closed ones, the last closed first');

/** One entry of a reservation's timeline. */
export const timelineEntry = z.object({
  seq: z.int(),
  at: moment,
  kind: z.enum(['event', 'command', 'timer', 'decision']),
  rule: z.string(),
  text: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export const timelineList = listOf(timelineEntry).describe(
  'The story of one reservation, the oldest entry first',
);

export const timelineQuery = z.strictObject({ cursor: rowCursor, limit: pageLimit });
