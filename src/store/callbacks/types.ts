import type {
  Change,
  EventChannel,
  ReservationEvent,
  TimelineEntry,
  Verdict,
} from '../../domain/reservation/index.js';
import type { Instant } from '../../domain/shared/time.js';
import type { inbox, inboxReplays } from '../schema.js';
import type { InboxState } from './states.js';

/** A stored callback: the row of the inbox. Whatever code handles a part of it names the columns. */
export type InboxRow = typeof inbox.$inferSelect;

/** A callback as the receiver stores it: its body is not yet encrypted. */
export interface Arrival
  extends Pick<
    InboxRow,
    'identity' | 'eventId' | 'channel' | 'path' | 'reservationId' | 'receivedAt' | 'headers'
  > {
  raw: Buffer;
  /** Under each key, the one to store first. */
  contentHashes: readonly [string, ...string[]];
}

/** A row as it was read: `replays` is the number of the reading. */
export type ReadRow = Pick<InboxRow, 'id' | 'replays'>;

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

/** An event as it reads today. An unkeyed hash of what holds personal data could be tried against guesses. */
export type ReadableEvent = Omit<ReservationEvent, 'contentHash'>;

/**
 * Why a stored event cannot be read. `fields`: where the profile stumbles, dotted paths without any value (L60);
 * `problems`: of each what the profile expects, what came, and the gap.
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
  problems?: string[];
}

/** Everything that is known of one event. */
export interface InboxEvent extends InboxItem, Pick<InboxRow, 'identity' | 'path' | 'headers'> {
  /** The body, its content coding taken off where that can be; null where it is gone or cannot be decrypted. */
  raw: { encoding: 'utf-8' | 'base64'; content: string } | null;
  /** As today's code and profile read it. */
  event: ReadableEvent | null;
  unreadable: Unreadable | null;
  /** The timeline entries of its reservation about it. */
  timeline: Omit<TimelineEntry, 'attention'>[];
  /** How it stood before each time that a person had it read again, the first time first. */
  earlier: EarlierReading[];
}

type EarlierReading = Omit<typeof inboxReplays.$inferSelect, 'inboxId'>;

/** One event, or those of a selection that have come to their end, or to none in time; `cursor` is from the page before. */
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

/** An event as it stands, and what would become of it. */
export interface ReplayPreview extends Judged, Pick<InboxRow, 'id'> {
  /** As today's profile reads it; else as it was read at first. */
  reservationId: number | null;
  /** Null: its workflow takes no event; `code` says how that ended. */
  foreseen: { verdict: Verdict; rule: string } | null;
  /** Why it cannot be read or is not taken. */
  code: string | null;
  /** What would differ in its reservation's view. */
  changes: Change[];
}
export interface ReplayPreviews extends Rest {
  events: ReplayPreview[];
}
