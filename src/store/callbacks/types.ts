import type { core } from 'zod';
import type { Change, EventChannel, ReservationEvent, Verdict } from '../../domain/reservation/index.js';
import type { Instant } from '../../domain/shared/time.js';
import type { Fence } from '../connection/lease.js';
import type { StoredEntry } from '../reservations/timeline.js';
import type { inbox, inboxReplays } from '../schema.js';
import type { InboxState } from './states.js';

/** A stored callback: the row of the inbox. Code that needs a part of it picks the columns. */
export type InboxRow = typeof inbox.$inferSelect;

/** A callback as the receiver stores it: its body is not yet encrypted. */
export interface Arrival
  extends Pick<
    InboxRow,
    'identity' | 'eventId' | 'channel' | 'path' | 'reservationId' | 'receivedAt' | 'headers'
  > {
  raw: Buffer;
  /** One per key; the first is stored. */
  contentHashes: readonly [string, ...string[]];
}

/** A row as it was read: `replays` is the number of the reading. */
export type ReadRow = Pick<InboxRow, 'id' | 'replays'>;

/** One that is changed only as long as no other process has taken over its shard. */
export interface FencedRow extends ReadRow {
  fence?: Fence | undefined;
}

/**
 * Called with rows that got their verdict. `receivedAt`: since when it waited for it, an instant; of a replay, since its order.
 * `isReplay`: this verdict is not that of its first reading.
 */
export type OnJudged = (
  rows: readonly { verdict: Verdict; receivedAt: Instant; isReplay: boolean }[],
) => void;

type Judged = Pick<InboxRow, 'state' | 'verdict' | 'rule'>;

/** An event as the inbox lists it: never its body. */
export type InboxItem = Omit<InboxRow, 'identity' | 'path' | 'headers' | 'raw' | 'contentHash' | 'resentAt'>;

/** Which events: by their facts; `from` <= received < `to`. */
export interface InboxSelection {
  reservationId?: number;
  verdict?: Verdict;
  channel?: EventChannel;
  state?: InboxState;
  from?: Instant;
  to?: Instant;
}
export interface InboxFilter extends InboxSelection {
  /** From the page before. */
  cursor?: string;
  limit: number;
}

/** An event by today's code and profile, without its hash: guesses of personal data could be tried against that. */
export type ReadableEvent = Omit<ReservationEvent, 'contentHash'>;

/**
 * Why a stored event cannot be read. `fields`: paths that do not fit the profile, without any value (L60);
 * `problems`: for each the expected form, the received type, and the gap, as zod reports them: the API writes them in the caller's language.
 */
export interface Unreadable {
  code:
    | 'BODY_REMOVED'
    | 'CODEC_KEY_UNKNOWN'
    | 'CODEC_PAYLOAD_DAMAGED'
    | 'CONTENT_CODING_UNREADABLE'
    | 'NOT_UTF8'
    | 'NOT_JSON'
    | 'NOT_IN_PROFILE';
  fields: string[];
  problems?: readonly core.$ZodIssue[];
}

/** Everything that is known of one event. */
export interface InboxEvent extends InboxItem, Pick<InboxRow, 'identity' | 'path' | 'headers'> {
  /** The body, without its content coding where that can be removed; null: it is deleted or cannot be decrypted. */
  raw: { encoding: 'utf-8' | 'base64'; content: string } | null;
  /** As today's code and profile read it. */
  event: ReadableEvent | null;
  unreadable: Unreadable | null;
  /** The timeline entries of its reservation about it. */
  timeline: StoredEntry[];
  /** Its state before each replay, the first replay first. */
  earlier: EarlierReading[];
}

type EarlierReading = Omit<typeof inboxReplays.$inferSelect, 'inboxId'>;

/** One event, or those of a selection that have a verdict, are dead, or got no verdict in time; `cursor` is from the page before. */
export type ReplaySelection = { id: number } | (InboxSelection & { cursor?: string });

/** An event that cannot be read again. */
export interface Skipped {
  id: number;
  code: 'EVENT_ON_ITS_WAY' | 'BODY_REMOVED' | 'CODEC_KEY_UNKNOWN' | 'CODEC_PAYLOAD_DAMAGED';
}

/** What a page of a selection left out, and the cursor of what is left. */
interface Rest {
  skipped: Skipped[];
  nextCursor: string | null;
}

/** Events that wait for the relay again; `replay` counts the times. */
export interface Replayed extends Rest {
  events: { id: number; reservationId: number | null; replay: number }[];
}

/** An event and the preview of its replay. */
export interface ReplayPreview extends Judged, Pick<InboxRow, 'id'> {
  /** By today's profile; otherwise as it was first read. */
  reservationId: number | null;
  /** Null: its workflow accepts no event; `code` states how the workflow ended. */
  foreseen: { verdict: Verdict; rule: string } | null;
  /** Why it cannot be read or is not accepted. */
  code: string | null;
  /** What would differ in its reservation's view. */
  changes: Change[];
}
export interface ReplayPreviews extends Rest {
  events: ReplayPreview[];
}
