import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { EventChannel, TimelineEntry, Verdict } from '../lifecycle/types.js';
import { bytea, instant } from './columns.js';

/** `received`: stored and acknowledged; `sent`: in the workflow's history; `done`: it has its verdict. */
export type InboxState = 'received' | 'sent' | 'done';

/** Every callback that was acknowledged, in order of arrival (`id`). */
export const inbox = pgTable(
  'inbox',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    /** What `eventId` is: the sender's `webhook-id`, or the content's hash where it sends none. */
    identity: text().$type<'webhook-id' | 'content'>().notNull(),
    eventId: text('event_id').notNull(),
    channel: text().$type<EventChannel>().notNull(),
    path: text().notNull(),
    /** Null: it could not be read out of the body (L63). */
    reservationId: bigint('reservation_id', { mode: 'number' }),
    receivedAt: instant('received_at').notNull(),
    /** Those that matter for an audit; never an authorisation. */
    headers: jsonb().$type<Record<string, string>>().notNull(),
    raw: bytea().notNull(),
    /** SHA-256 of path and raw bytes, in hex. */
    contentHash: text('content_hash').notNull(),
    /** How often it came. */
    copies: integer().notNull().default(1),
    state: text().$type<InboxState>().notNull().default('received'),
    sentAt: instant('sent_at'),
    verdict: text().$type<Verdict>(),
    rule: text(),
    verdictAt: instant('verdict_at'),
    /** Refused sends, and the code of the last one. */
    failures: integer().notNull().default(0),
    lastError: text('last_error'),
  },
  (row) => [
    uniqueIndex('inbox_webhook_id').on(row.eventId).where(sql`${row.identity} = 'webhook-id'`),
    index('inbox_reservation').on(row.reservationId, row.id),
    // the relay's two questions: who has waited longest, and what waits for one reservation
    index('inbox_waiting').on(row.id).where(sql`${row.state} = 'received'`),
    index('inbox_waiting_reservation').on(row.reservationId, row.id).where(sql`${row.state} = 'received'`),
    check('inbox_state', sql`${row.state} in ('received', 'sent', 'done')`),
    check('inbox_done_has_verdict', sql`(${row.state} = 'done') = (${row.verdict} is not null)`),
  ],
);

/** The story of each reservation, written by its workflow's `record` step. */
export const timeline = pgTable(
  'timeline',
  {
    reservationId: bigint('reservation_id', { mode: 'number' }).notNull(),
    seq: integer().notNull(),
    at: instant().notNull(),
    kind: text().$type<TimelineEntry['kind']>().notNull(),
    rule: text().notNull(),
    text: text().notNull(),
    data: jsonb().$type<TimelineEntry['data']>().notNull(),
  },
  (row) => [primaryKey({ columns: [row.reservationId, row.seq] })],
);
