import { z } from 'zod';
import { verdicts } from '../../domain/reservation/types.js';
import { inboxStates } from '../../store/callbacks/states.js';
import {
  driver,
  idText,
  instant,
  moment,
  named,
  pageLimit,
  person,
  positiveId,
  rowCursor,
  words,
} from '../http/fields.js';
import { listOf } from '../http/list-route.js';
import { expected } from '../messages/expected.js';
import { timelineEntry } from '../reservations/list-schemas.js';

const channel = z.enum(['registration', 'update', 'car', 'status']);
const verdict = z.enum(verdicts);
const state = z
  .enum(inboxStates)
  .describe(
    'received: stored; sent: with its workflow; done: has its verdict; dead: given up, `lastError` states why',
  );
const received = {
  from: instant.exactOptional().describe('Received at or after'),
  to: instant.exactOptional().describe('Received before'),
};

export const inboxQuery = z.strictObject({
  reservationId: idText.exactOptional(),
  verdict: verdict.exactOptional(),
  channel: channel.exactOptional(),
  state: state.exactOptional(),
  ...received,
  cursor: rowCursor,
  limit: pageLimit,
});

const judged = { state, verdict: verdict.nullable(), rule: z.string().nullable() };
const item = z.object({
  id: z.int(),
  eventId: z.string(),
  channel,
  reservationId: z.int().nullable(),
  receivedAt: moment,
  copies: z.int().describe('How often it arrived'),
  ...judged,
  sentAt: moment.nullable(),
  resends: z.int().describe('How often it was sent again because its workflow gave no verdict'),
  verdictAt: moment.nullable(),
  failures: z.int(),
  lastError: z.string().nullable().describe('Of a dead letter: why it was given up'),
  replays: z.int().describe('How often a person replayed it'),
  replayedAt: moment.nullable(),
});

export const inboxList = listOf(item).describe(
  'Callbacks as they arrived, newest first, each with its verdict',
);

const personal = 'Null for viewers';

/** An event in the lifecycle's language. */
const event = z.object({
  status: z.int().optional(),
  changedAt: moment.optional(),
  service: named.optional(),
  company: named.optional(),
  productId: z.int().optional(),
  createdAt: moment.optional(),
  period: z.object({ start: moment, end: moment }).optional(),
  car: z.object({ id: z.int(), number: z.string().nullable() }).optional(),
  previousCarId: z.int().optional(),
  driving: z.object({ start: moment.optional(), end: moment.optional() }).optional(),
  pickupAddress: z.string().nullable().optional().describe(personal),
  pickupMemo: z.string().nullable().optional().describe(personal),
  driver: z.object(driver).nullable().optional().describe(personal),
  companion: z.object(person).partial().nullable().optional().describe(personal),
  parking: z
    .object({
      memo: z.string().nullable().optional().describe(personal),
      imageUrl: z.string().nullable().optional().describe(personal),
      lotType: z.int().optional(),
    })
    .optional(),
  malformed: z.array(z.string()).optional().describe('Names of fields that break the specification (L61)'),
});

export const inboxEvent = item
  .extend({
    identity: z.enum(['webhook-id', 'content']).describe('What eventId is'),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    raw: z
      .object({ encoding: z.enum(['utf-8', 'base64']), content: z.string() })
      .nullable()
      .describe('The body without its content coding; null but for managers, and where it is gone'),
    event: event.nullable().describe('As today’s code and profile read it'),
    unreadable: z
      .object({
        code: z.string(),
        fields: z.array(z.string()),
        problems: z
          .array(z.string())
          .optional()
          .describe('Of each field: what the profile expects, what arrived, and the gap'),
      })
      .nullable()
      .describe('Why it cannot be read, and where the profile stumbles'),
    timeline: z.array(timelineEntry).describe('What it changed: the timeline entries of its reservation'),
    earlier: z
      .array(
        z.object({
          replay: z.int(),
          at: moment,
          by: z.string(),
          reservationId: z.int().nullable(),
          ...judged,
          verdictAt: moment.nullable(),
          failures: z.int(),
          lastError: z.string().nullable(),
        }),
      )
      .describe('How it stood before each time that it was read again'),
  })
  .describe('One stored callback with its story');
export type VisibleEvent = z.output<typeof event>;

export const inboxParams = z.object({ id: idText.describe('Row of the inbox') });
const dryRun = z
  .enum(['true', 'false'], { error: expected('field.either', { values: ['true', 'false'] }) })
  .transform((text) => text === 'true')
  .default(false)
  .describe('true: previews the effect of each event and changes nothing');
export const replayQuery = z.strictObject({ dryRun });
const reason = words(500);
export const replayBody = z.strictObject({ reason });
const facts = ['reservationId', 'verdict', 'channel', 'state', 'from', 'to'] as const;
export const replaySelectionBody = z
  .strictObject({
    reason,
    reservationId: positiveId.exactOptional(),
    verdict: verdict.exactOptional(),
    channel: channel.exactOptional(),
    state: z.enum(['sent', 'done', 'dead'], { error: expected('field.replayable', {}) }).exactOptional(),
    ...received,
    cursor: rowCursor,
  })
  .refine(
    (body) => facts.some((fact) => body[fact] !== undefined),
    expected('field.one-at-least', { names: facts }),
  )
  .meta({ anyOf: facts.map((fact) => ({ required: [fact] })) });

const skipped = z
  .array(z.object({ id: z.int(), code: z.string() }))
  .describe('Events that cannot be read again, and why');
const nextCursor = z.string().nullable().describe('What is left begins there');

export const replayed = z
  .object({
    events: z.array(
      z.object({
        id: z.int(),
        reservationId: z.int().nullable(),
        replay: z.int().describe('Which time it is read again'),
      }),
    ),
    skipped,
    nextCursor,
  })
  .describe('Events on their way to their workflows again; the verdicts follow');

export const replayPreviews = z
  .object({
    events: z.array(
      z.object({
        id: z.int(),
        reservationId: z.int().nullable(),
        ...judged,
        foreseen: z
          .object({ verdict, rule: z.string() })
          .nullable()
          .describe('Null: it would not be accepted; `code` states why'),
        code: z.string().nullable().describe('Why it cannot be read or is not accepted'),
        changes: z
          .array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }))
          .describe('What would differ in its reservation, after the events before it'),
      }),
    ),
    skipped,
    nextCursor,
  })
  .describe('What would become of each event; nothing has changed');
