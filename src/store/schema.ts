import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { SettledBy } from '../contract/booking.js';
import type { BookingCandidate, BookingState } from '../domain/booking/types.js';
import type { HoldAttentionKind, HoldStateName } from '../domain/hold/index.js';
import type { FindingKind, Notice } from '../domain/reconciliation/index.js';
import type {
  AttentionKind,
  EventChannel,
  ListRow,
  TimelineEntry,
  Verdict,
} from '../domain/reservation/types.js';
import type { AuditData } from '../domain/shared/audit.js';
import type { Message } from '../domain/shared/message.js';
import type { AlertKind } from './alerts/kinds.js';
import type { InboxState } from './callbacks/states.js';
import { bytea, instant } from './columns.js';

/** `seen`: in one reading; `open`: in two or more; `adopted`: a person assigned it to a reservation; `gone`: over by itself. */
export type FindingState = 'seen' | 'open' | 'adopted' | 'gone';

/** `photos`: their time had come, before that of their reservations. */
export type ErasureCause = 'reservation' | 'driver' | 'retention' | 'photos';
/** How many of each an erasure destroyed, deleted or emptied. */
export interface ErasureCounts {
  reservations: number;
  bookings: number;
  holds: number;
  keys: number;
  photos: number;
  bodies: number;
  posts: number;
  reasons: number;
  /** Payloads in Temporal that were replaced by tombstones. */
  payloads: number;
  /** Case files and holds that no key opened: nothing is left of them but what lists show. */
  unreadable: number;
}

/** Every callback that was acknowledged, in order of arrival (`id`). */
export const inbox = pgTable(
  'inbox',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    /** The kind of `eventId`: the sender's `webhook-id`, or where it sends none the hash of the content, `erased` after an erasure. */
    identity: text().$type<'webhook-id' | 'content'>().notNull(),
    eventId: text('event_id').notNull(),
    channel: text().$type<EventChannel>().notNull(),
    path: text().notNull(),
    /** Null: it could not be read from the body (L63). */
    reservationId: bigint('reservation_id', { mode: 'number' }),
    receivedAt: instant('received_at').notNull(),
    /** Headers for an audit; never an authorisation. */
    headers: jsonb().$type<Record<string, string>>().notNull(),
    /** The raw bytes, encrypted (L60); null once the retention is over. */
    raw: bytea(),
    /** Of path and raw bytes, keyed: a reader of the table cannot try guesses against it. In hex; empty after an erasure. */
    contentHash: text('content_hash').notNull(),
    /** How often it was received. */
    copies: integer().notNull().default(1),
    state: text().$type<InboxState>().notNull().default('received'),
    /** When it was first sent to its workflow; null again after a replay. */
    sentAt: instant('sent_at'),
    /** How often it was sent again because its workflow gave no verdict, and when last. */
    resends: integer().notNull().default(0),
    resentAt: instant('resent_at'),
    verdict: text().$type<Verdict>(),
    rule: text(),
    verdictAt: instant('verdict_at'),
    /** Refused sends, and the code of the last one. */
    failures: integer().notNull().default(0),
    lastError: text('last_error'),
    /** How often a person replayed it; verdict and failures are those of the last reading. */
    replays: integer().notNull().default(0),
    replayedAt: instant('replayed_at'),
  },
  (row) => [
    uniqueIndex('inbox_webhook_id').on(row.eventId).where(sql`${row.identity} = 'webhook-id'`),
    index('inbox_reservation').on(row.reservationId, row.id),
    // for the relay: the longest waiting, and what waits for one reservation
    index('inbox_waiting').on(row.id).where(sql`${row.state} = 'received'`),
    index('inbox_waiting_reservation').on(row.reservationId, row.id).where(sql`${row.state} = 'received'`),
    // for the retention: the oldest bodies that are not needed for delivery any more
    index('inbox_with_body').on(row.receivedAt).where(sql`${row.state} = 'done' and ${row.raw} is not null`),
    index('inbox_dead').on(row.id).where(sql`${row.state} = 'dead'`),
    // verdicts that staff filter by are rare: without these indexes such a list reads the whole inbox
    index('inbox_noteworthy')
      .on(row.verdict, row.id)
      .where(sql`${row.verdict} not in ('applied', 'duplicate', 'stale')`),
    // sent and without a verdict: the watch and the replay read the oldest
    index('inbox_sent').on(row.id).where(sql`${row.state} = 'sent'`),
    // repeated sends, which are rare: read by the watch and the metrics
    index('inbox_resent').on(row.state, row.id).where(sql`${row.resends} > 0`),
    index('inbox_received_at').on(row.receivedAt),
    check('inbox_state', sql`${row.state} in ('received', 'sent', 'done', 'dead')`),
    // an event that is not delivered yet needs its body
    check('inbox_body_until_judged', sql`${row.raw} is not null or ${row.state} in ('done', 'dead')`),
    check('inbox_done_has_verdict', sql`(${row.state} = 'done') = (${row.verdict} is not null)`),
  ],
);

/** The state of an event before each replay. */
export const inboxReplays = pgTable(
  'inbox_replays',
  {
    inboxId: bigint('inbox_id', { mode: 'number' }).notNull(),
    /** Number of the replay, from 1. */
    replay: integer().notNull(),
    at: instant().notNull(),
    /** The token's name; the reason is in the audit. */
    by: text().notNull(),
    reservationId: bigint('reservation_id', { mode: 'number' }),
    state: text().$type<InboxState>().notNull(),
    verdict: text().$type<Verdict>(),
    rule: text(),
    verdictAt: instant('verdict_at'),
    failures: integer().notNull(),
    lastError: text('last_error'),
  },
  (row) => [primaryKey({ columns: [row.inboxId, row.replay] })],
);

/** Changes by staff outside the reservations, which have timelines; written in the transaction of the change. */
export const audit = pgTable(
  'audit',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    at: instant().notNull(),
    /** The token's name. */
    by: text().notNull(),
    /** What was done, such as `inbox.replay`. */
    action: text().notNull(),
    /** Such as `inbox/17`; empty where the action has none. Never personal data. */
    subject: text().notNull(),
    /** The reason that the person gave; encrypted (L60). */
    reason: bytea(),
    /** Ids, codes and counts. */
    data: jsonb().$type<AuditData>().notNull(),
    /** Set for entries that a workflow writes: each action of a command is written once. */
    commandId: text('command_id'),
  },
  (row) => [
    uniqueIndex('audit_command').on(row.commandId, row.action).where(sql`${row.commandId} is not null`),
    index('audit_subject').on(row.subject, row.id),
    index('audit_action').on(row.action, row.id),
    index('audit_at').on(row.at),
    // reasons are deleted by their time, and with the reservation that their entry names
    index('audit_reason_at').on(row.at).where(sql`${row.reason} is not null`),
    index('audit_reason_reservation')
      .on(sql`(${row.data} ->> 'reservationId')`)
      .where(sql`${row.reason} is not null`),
  ],
);

/** First answers to writes of persons that no workflow deduplicates, by their keys (L21); never deleted. */
export const answers = pgTable(
  'answers',
  {
    /** As in the audit. */
    action: text().notNull(),
    commandId: text('command_id').notNull(),
    /** Keyed hash of what identifies the request; `erased` after the erasure of its reservation. */
    request: text().notNull(),
    /** Ids and codes; null while the write is under way. */
    answer: jsonb(),
  },
  (row) => [primaryKey({ columns: [row.action, row.commandId] })],
);

/** Persons whom the identity provider logged in as staff; deleted when they have not logged in for long. */
export const persons = pgTable('persons', {
  name: text().primaryKey(),
  role: text().$type<'staff' | 'manager'>().notNull(),
  loggedInAt: instant('logged_in_at').notNull(),
});

/** Shifts that people accepted, and notes during them; the rows are never deleted. */
export const shifts = pgTable('shifts', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  at: instant().notNull(),
  /** The person's name. */
  by: text().notNull(),
  /** From when on what happened was reviewed; null: a note alone. */
  since: instant(),
  /** Encrypted (L60). */
  note: bytea(),
  /** The caller's key: one request acts once. */
  commandId: text('command_id').notNull().unique(),
  /** Identifies the request; encrypted, and stored longer than the note. Null: stored before 0.4.0. */
  mark: bytea(),
});

/** The timeline of each reservation, written by its workflow's `record` step. */
export const timeline = pgTable(
  'timeline',
  {
    reservationId: bigint('reservation_id', { mode: 'number' }).notNull(),
    /** Its place, given when it is stored. */
    seq: integer().notNull(),
    /** What makes it the same entry wherever it is emitted again (`identityOf`); null: stored before 0.3.0. */
    identity: text(),
    at: instant().notNull(),
    kind: text().$type<TimelineEntry['kind']>().notNull(),
    rule: text().notNull(),
    /** In English: the identity rests on it. */
    text: text().notNull(),
    /** What is rendered for a reader; null: stored before 0.4.0. */
    messages: jsonb().$type<Message[]>(),
    data: jsonb().$type<TimelineEntry['data']>().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.reservationId, row.seq] }),
    uniqueIndex('timeline_identity')
      .on(row.reservationId, row.identity)
      .where(sql`${row.identity} is not null`),
    index('timeline_of_0_2_0').on(row.reservationId).where(sql`${row.identity} is null`),
    // who did what, and which attention items were raised and cleared: few of the entries
    index('timeline_activity')
      .on(row.at)
      .where(sql`${row.kind} <> 'event' and (${row.data} ? 'by' or ${row.data} ? 'kind')`),
  ],
);

/**
 * Alerts that belong to no reservation: a suspended role, a backlog, silence. One open row per kind and subject; cleared
 * ones stay as history.
 */
export const alerts = pgTable(
  'alerts',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    kind: text().$type<AlertKind>().notNull(),
    /** Such as a role; empty where the kind alone identifies the alert. Never personal data. */
    subject: text().notNull(),
    since: instant().notNull(),
    /** The text for operations, in English. */
    message: text().notNull(),
    /** The same as code and data; it counts only where `message` is its English. Null: an earlier release wrote the text. */
    said: jsonb().$type<Message>(),
    clearedAt: instant('cleared_at'),
  },
  (row) => [
    uniqueIndex('alerts_open').on(row.kind, row.subject).where(sql`${row.clearedAt} is null`),
    // those that were open at a moment or later
    index('alerts_cleared').on(sql`coalesce(${row.clearedAt}, 'infinity'::timestamptz)`),
  ],
);

/** Receivers of posts, each with its own sender: operations (ALERT_URL), and the supplier's deployment (FORWARD_URL). */
export type Destination = 'alerts' | 'forward';

/** Posts to be sent, at least once and in order per destination and `key`; deleted once the receiver has accepted them. */
export const outbox = pgTable(
  'outbox',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    destination: text().$type<Destination>().notNull().default('alerts'),
    /** Posts of one key are sent one after the other. */
    key: text().notNull(),
    /** `webhook-id`, by which the receiver recognises a repeat: the same news has the same id. */
    messageId: text('message_id').notNull(),
    /** Path below the address of the receiver; empty for the address itself. */
    path: text().notNull(),
    /** Encrypted (L60). */
    body: bytea().notNull(),
    /** Headers that describe the body; null: it is plain JSON. */
    headers: jsonb().$type<Record<string, string>>(),
    createdAt: instant('created_at').notNull(),
    /** By the database's clock, for the age: the clock of `createdAt` may have been wrong. */
    storedAt: instant('stored_at').notNull().default(sql`now()`),
    failures: integer().notNull().default(0),
    /** Code of the last failure. */
    lastError: text('last_error'),
    /** Since when its receiver refuses it with a 4xx; null: it does not. */
    refusedSince: instant('refused_since'),
    /** When it was given up; null: it waits. */
    deadAt: instant('dead_at'),
    nextTryAt: instant('next_try_at'),
  },
  (row) => [
    uniqueIndex('outbox_message').on(row.destination, row.messageId),
    // for the sender: the oldest posts
    index('outbox_waiting').on(row.destination, row.id).where(sql`${row.deadAt} is null`),
    index('outbox_dead').on(row.destination, row.id).where(sql`${row.deadAt} is not null`),
    // for the erasure of a reservation
    index('outbox_key').on(row.key),
  ],
);

/** Rights that one process has at a time: its holder, and until when by the database's clock unless it renews the lease. */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  /** Identifies one process. */
  holder: text().notNull(),
  /** Incremented by each takeover, so that late writes of an earlier holder have no effect. */
  epoch: bigint({ mode: 'number' }).notNull(),
  /** Address of the holder's connection; null: the machine of the database. */
  address: text(),
  /** The server process of that connection; null: unknown. */
  backendPid: integer('backend_pid'),
  since: instant().notNull(),
  /** Null: released. */
  expiresAt: instant('expires_at'),
});

/** What is stored of a closed reservation beside its timeline and verdicts (L47). */
export const caseFiles = pgTable(
  'case_files',
  {
    reservationId: bigint('reservation_id', { mode: 'number' }).primaryKey(),
    closedAt: instant('closed_at').notNull(),
    // columns that lists show and filter by
    status: integer(),
    carId: bigint('car_id', { mode: 'number' }),
    companyId: bigint('company_id', { mode: 'number' }),
    startAt: instant('start_at'),
    endAt: instant('end_at'),
    /** Kinds of attention item that were open at the end. */
    attention: text().array().$type<AttentionKind[]>().notNull(),
    /** The final view with its photo hashes: JSON, encrypted (L60). Once erased, without what is personal. */
    view: bytea().notNull(),
    /** The same as in the row of an open reservation; null: an earlier release wrote it, and they are not computed yet. */
    persons: text().array(),
    /** When its personal data was erased, and when its photos were; null: they are there. */
    erasedAt: instant('erased_at'),
    photosErasedAt: instant('photos_erased_at'),
  },
  (row) => [
    index('case_files_closed').on(row.closedAt, row.reservationId),
    index('case_files_car').on(row.carId, row.closedAt),
    // for the retention of personal data
    index('case_files_to_erase').on(row.closedAt).where(sql`${row.erasedAt} is null`),
    index('case_files_photos_to_erase').on(row.closedAt).where(sql`${row.photosErasedAt} is null`),
  ],
);

/**
 * What lists show of each open reservation: written with its verdicts and timeline entries, deleted with its case file, and
 * rebuilt from the workflows where it is lost.
 */
export const openReservations = pgTable(
  'open_reservations',
  {
    reservationId: bigint('reservation_id', { mode: 'number' }).primaryKey(),
    /** Of the state that it shows: of two writes the later counts. */
    sequence: bigint({ mode: 'number' }).notNull(),
    /** By the database's clock. */
    writtenAt: instant('written_at').notNull().default(sql`now()`),
    status: integer(),
    grade: text().$type<ListRow['grade']>(),
    since: instant(),
    carId: bigint('car_id', { mode: 'number' }),
    companyId: bigint('company_id', { mode: 'number' }),
    productId: bigint('product_id', { mode: 'number' }),
    startAt: instant('start_at'),
    endAt: instant('end_at'),
    /** The gravest first. */
    attention: jsonb().$type<ListRow['attention']>().notNull(),
    next: text().$type<ListRow['next']>(),
    unknownCommands: integer('unknown_commands').notNull(),
    waitingCommands: integer('waiting_commands').notNull(),
    atRisk: boolean('at_risk').notNull(),
    /** Keyed hashes of the car's plate and of its last four digits, by which it is found. */
    plate: text(),
    plateEnd: text('plate_end'),
    /** Keyed hashes of the names of its drivers and staff, and once more of who takes its next steps: lists are searched by them. */
    names: text().array().notNull().default([]),
    /** Keyed hashes of names, telephone numbers and licences of its drivers, also of those who were replaced; null: an earlier release wrote it. */
    persons: text().array(),
    /** Plate and staff: JSON, encrypted (L60). */
    personal: bytea().notNull(),
  },
  (row) => [
    // in the order of lists
    index('open_reservations_start').on(
      sql`coalesce(${row.startAt}, 'infinity'::timestamptz)`,
      row.reservationId,
    ),
    index('open_reservations_car').on(row.carId),
    // the lanes of the board (board.ts): a row is in one of them at most
    index('open_reservations_attention').on(row.reservationId).where(sql`${row.attention} <> '[]'`),
    index('open_reservations_due_out')
      .on(row.startAt, row.reservationId)
      .where(sql`${row.status} in (5, 10) and ${row.attention} = '[]'`),
    index('open_reservations_out')
      .on(sql`coalesce(${row.endAt}, 'infinity'::timestamptz)`, row.reservationId)
      .where(sql`${row.status} in (15, 20, 25) and ${row.attention} = '[]'`),
    index('open_reservations_to_recall')
      .on(row.since, row.reservationId)
      .where(sql`${row.status} = 30 and ${row.attention} = '[]'`),
  ],
);

/**
 * Reservations whose row lists lost without a case file: their workflow was ended before it closed, or Temporal has lost it. By this
 * their persons are found, and their time to be erased is known; deleted by the erasure.
 */
export const unlistedReservations = pgTable('unlisted_reservations', {
  reservationId: bigint('reservation_id', { mode: 'number' }).primaryKey(),
  /** As in the row. */
  persons: text().array().notNull(),
  removedAt: instant('removed_at').notNull().default(sql`now()`),
});

/** One row once each open reservation has its row, so that lists are complete: at once in a new database, else after the first whole rebuild. */
export const listsCompleted = pgTable('lists_completed', {
  id: integer().primaryKey().default(1),
  at: instant().notNull().default(sql`now()`),
});

/**
 * One row: the last round in which the rows of open reservations were compared with their workflows, or the one that is under way. No
 * row: none has begun.
 */
export const rowChecks = pgTable('row_checks', {
  id: integer().primaryKey().default(1),
  /** Of the rows: a round under a later version writes what earlier ones did not show. */
  version: integer().notNull(),
  /** The database that it was; null: not known. Another one was restored from a backup, or has taken over from a server that failed. */
  database: text(),
  /** The reservations up to this one are compared. */
  place: bigint({ mode: 'number' }).notNull().default(0),
  /** For a reason to doubt the rows: it runs faster. */
  isUrgent: boolean('is_urgent').notNull(),
  /** By the database's clock. */
  beganAt: instant('began_at').notNull().default(sql`now()`),
  /** Null: it is under way. */
  endedAt: instant('ended_at'),
});

/** Who takes care of an attention item; deleted with the item (by a trigger on its row), and with the reservation's row. */
export const attentionClaims = pgTable(
  'attention_claims',
  {
    reservationId: bigint('reservation_id', { mode: 'number' })
      .notNull()
      .references(() => openReservations.reservationId, { onDelete: 'cascade' }),
    kind: text().$type<AttentionKind>().notNull(),
    /** Names of tokens: who has it, and who gave it. */
    owner: text().notNull(),
    by: text().notNull(),
    at: instant().notNull().default(sql`now()`),
  },
  (row) => [
    primaryKey({ columns: [row.reservationId, row.kind] }),
    index('attention_claims_owner').on(row.owner),
  ],
);

/** Every booking of ours, stored before its request leaves (F30); the request is deleted once it is resolved. */
export const bookings = pgTable(
  'bookings',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    commandId: text('command_id').notNull().unique(),
    /** The run that may send it: no other run of the same id does. */
    runId: text('run_id').notNull(),
    /** The token's name. */
    by: text().notNull(),
    /** Identifies the request; encrypted. */
    mark: bytea().notNull(),
    productId: bigint('product_id', { mode: 'number' }).notNull(),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    /** The request: JSON, encrypted (L60). */
    request: bytea(),
    state: text().$type<BookingState>().notNull().default('out'),
    createdAt: instant('created_at').notNull(),
    /** Why the outcome is unknown, or the code of a refusal. */
    code: text(),
    /** Texts of a refusal, encrypted. */
    message: bytea(),
    /** Reservations that it may have become (F31). */
    candidates: jsonb().$type<BookingCandidate[]>().notNull().default([]),
    reservationId: bigint('reservation_id', { mode: 'number' }),
    settledBy: text('settled_by').$type<SettledBy>(),
    settledAt: instant('settled_at'),
    /** Id of the request that resolved it: a repeat of it gets the same answer. */
    settlementId: text('settlement_id'),
    /** Identifies its content; encrypted. Null: no person resolved it, it was erased, or resolved before 0.4.0. */
    settlementMark: bytea('settlement_mark'),
    // from the answer or the registration; the status is the platform's string, raw (G12)
    status: text(),
    carNumber: text('car_number'),
    pickupAt: instant('pickup_at'),
    returnAt: instant('return_at'),
    /** The request, encrypted, until the reservation has been notified of it; then null. */
    unsent: bytea(),
    notifiedAt: instant('notified_at'),
    /** Keyed hashes of names, telephone numbers and licences of its drivers; null: an earlier release stored it. */
    persons: text().array(),
    /** When its texts were erased; null: they are there. */
    erasedAt: instant('erased_at'),
  },
  (row) => [
    // F32: a reservation is claimed by one lost booking; the platform's own answers are not limited
    uniqueIndex('bookings_claim').on(row.reservationId).where(sql`${row.settledBy} <> 'answer'`),
    index('bookings_reservation').on(row.reservationId),
    index('bookings_state').on(row.state, row.id),
    index('bookings_unsent').on(row.settledAt).where(sql`${row.unsent} is not null`),
    index('bookings_open')
      .on(row.productId, row.startAt, row.endAt)
      .where(sql`${row.state} in ('out', 'unknown', 'ambiguous')`),
    // for the retention of personal data
    index('bookings_to_erase').on(row.settledAt).where(sql`${row.erasedAt} is null`),
    check('bookings_state', sql`${row.state} in ('out', 'unknown', 'ambiguous', 'applied', 'rejected')`),
    check('bookings_applied_to', sql`(${row.state} = 'applied') = (${row.reservationId} is not null)`),
    check(
      'bookings_request_until_settled',
      sql`(${row.state} in ('applied', 'rejected')) = (${row.request} is null)`,
    ),
  ],
);

/** Attempts to change something on the platform, each recorded before its request leaves: no other run sends it again. */
export const attempts = pgTable(
  'attempts',
  {
    command: text().notNull(),
    attempt: text().notNull(),
    /** The run that may send it. */
    runId: text('run_id').notNull(),
    at: instant().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.command, row.attempt] }),
    // for the retention; rows come in order of time, so a summary of blocks is enough
    index('attempts_at').using('brin', row.at),
  ],
);

/**
 * Reservations whose workflow was ended in Temporal (terminated, failed) before they were closed: callbacks do not start
 * them again, even after Temporal has deleted the workflow.
 */
export const endedReservations = pgTable('ended_reservations', {
  reservationId: bigint('reservation_id', { mode: 'number' }).primaryKey(),
  /** How it ended, e.g. `WORKFLOW_TERMINATED`. */
  code: text().notNull(),
  /** When that was noticed. */
  notedAt: instant('noted_at').notNull(),
});

/** Memos and sale statuses that staff wrote on cars: the same key acts once, even after Temporal has deleted the workflow. */
export const carWrites = pgTable('car_writes', {
  commandId: text('command_id').primaryKey(),
  /** Identifies the request; encrypted. */
  mark: bytea().notNull(),
  createdAt: instant('created_at').notNull(),
  /** The first answer: JSON, encrypted; null: not known yet, or deleted with other texts (`old-texts.ts`). */
  result: bytea(),
});

/** When the reconciliation was last completed: one row. */
export const lastReconciliation = pgTable('last_reconciliation', {
  id: integer().primaryKey(),
  completedAt: instant('completed_at').notNull(),
});

/** Every hold, as its workflow last wrote it: for lists, and in full for after Temporal has deleted the workflow. */
export const holds = pgTable(
  'holds',
  {
    /** In order of creation. */
    seq: bigserial({ mode: 'number' }).primaryKey(),
    holdId: text('hold_id').notNull(),
    carId: bigint('car_id', { mode: 'number' }).notNull(),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    state: text().$type<HoldStateName>().notNull(),
    withdrawFromSale: boolean('withdraw_from_sale').notNull(),
    reservationId: bigint('reservation_id', { mode: 'number' }),
    createdAt: instant('created_at').notNull(),
    /** Null: the hold is open. */
    endedAt: instant('ended_at'),
    /** Kinds of blocked steps. */
    attention: text().array().$type<HoldAttentionKind[]>().notNull(),
    /** A write with an earlier time is ignored. */
    writtenAt: instant('written_at').notNull(),
    /** JSON, encrypted (L60). Once erased, without texts. */
    view: bytea().notNull(),
    /** When its texts were erased; null: they are there. */
    erasedAt: instant('erased_at'),
  },
  (row) => [
    uniqueIndex('holds_id').on(row.holdId),
    index('holds_car').on(row.carId, row.seq),
    index('holds_open').on(row.seq).where(sql`${row.endedAt} is null`),
    index('holds_reservation').on(row.reservationId).where(sql`${row.reservationId} is not null`),
    // for the retention of personal data
    index('holds_to_erase').on(row.endedAt).where(sql`${row.erasedAt} is null`),
  ],
);

/** S entries of the platform's schedule, as the last reading of their days had them: they take a car, and belong to no reservation. */
export const scheduleEntries = pgTable(
  'schedule_entries',
  {
    scheduleId: bigint('schedule_id', { mode: 'number' }).primaryKey(),
    carId: bigint('car_id', { mode: 'number' }).notNull(),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    readAt: instant('read_at').notNull(),
  },
  (row) => [index('schedule_entries_end').on(row.endAt)],
);

/** R entries of the platform's schedule from one reading, until they are compared. */
export const scheduleReads = pgTable(
  'schedule_reads',
  {
    /** The run that reads. */
    run: text().notNull(),
    /** Index of the slice that contained the entry, from 0. */
    slice: integer().notNull(),
    scheduleId: bigint('schedule_id', { mode: 'number' }).notNull(),
    carId: bigint('car_id', { mode: 'number' }).notNull(),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    readAt: instant('read_at').notNull(),
  },
  (row) => [primaryKey({ columns: [row.run, row.slice, row.scheduleId] })],
);

/** What the platform's schedule showed of each reservation, and what the reservation received of it. */
export const scheduleChecks = pgTable(
  'schedule_checks',
  {
    reservationId: bigint('reservation_id', { mode: 'number' }).primaryKey(),
    /** The entry that was matched to the reservation. */
    scheduleId: bigint('schedule_id', { mode: 'number' }),
    /** Mark of the notice that it last received, and the reading it came from. */
    notifiedMark: text('told'),
    notifiedAt: instant('told_at'),
    /** The notice that it is still to receive. */
    waiting: jsonb().$type<Notice>(),
  },
  (row) => [index('schedule_checks_waiting').on(row.reservationId).where(sql`${row.waiting} is not null`)],
);

/** Differences between the platform's schedule and the reservations here. */
export const findings = pgTable(
  'findings',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    kind: text().$type<FindingKind>().notNull(),
    state: text().$type<FindingState>().notNull(),
    scheduleId: bigint('schedule_id', { mode: 'number' }),
    carId: bigint('car_id', { mode: 'number' }).notNull(),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    /** The reservation that differs; for an adopted entry, its reservation. */
    reservationId: bigint('reservation_id', { mode: 'number' }),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    /** Number of readings in a row that found it. */
    reads: integer().notNull(),
    closedAt: instant('closed_at'),
  },
  (row) => [
    index('findings_open').on(row.id).where(sql`${row.closedAt} is null`),
    index('findings_kind').on(row.kind, row.id),
    check('findings_closed', sql`(${row.closedAt} is null) = (${row.state} in ('seen', 'open'))`),
  ],
);

/** The key of each reservation, booking and hold under which its payloads and photos are encrypted; see `DataKeys`. */
export const dataKeys = pgTable(
  'data_keys',
  {
    scope: text().primaryKey(),
    /** Encrypted by a key of the key ring; null: destroyed, for ever. */
    wrapped: bytea(),
    /** Id of that key. */
    wrappedUnder: text('wrapped_under').notNull(),
    madeAt: instant('made_at').notNull().default(sql`now()`),
    destroyedAt: instant('destroyed_at'),
  },
  (row) => [
    index('data_keys_to_wrap').on(row.wrappedUnder).where(sql`${row.wrapped} is not null`),
    check('data_keys_destroyed', sql`(${row.wrapped} is null) = (${row.destroyedAt} is not null)`),
  ],
);

/** What an erasure left of a scope's payloads, so that its histories still replay: ids, codes and instants. */
export const payloadRemains = pgTable('payload_remains', {
  scope: text().primaryKey(),
  at: instant().notNull(),
  /** The payloads by their nonces: JSON, encrypted. */
  payloads: bytea().notNull(),
});

/** Certificates: what was erased, and by whom. Nothing personal of those whose data it was; never deleted. */
export const erasures = pgTable('erasures', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  at: instant().notNull(),
  /** Who requested it; `retention`: its time had come. */
  by: text().notNull(),
  cause: text().$type<ErasureCause>().notNull(),
  /** The reservations whose data was erased. */
  reservations: jsonb().$type<number[]>().notNull(),
  /** Bookings (command ids) and holds that were erased by themselves; null: an earlier release wrote it, which only counted them. */
  bookings: jsonb().$type<string[]>(),
  holds: jsonb().$type<string[]>(),
  counts: jsonb().$type<ErasureCounts>().notNull(),
});
