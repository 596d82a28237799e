import type {
  Change,
  EventChannel,
  Instant,
  ReservationEvent,
  TimelineEntry,
  Verdict,
} from '../../domain/reservation/index.js';

/**
 * `received`: stored and acknowledged; `sent`: in the workflow's history; `done`: it has its verdict; `dead`: the
 * relay gave it up (`lastError` says why), until a person puts it back.
 */
export const inboxStates = ['received', 'sent', 'done', 'dead'] as const;
export type InboxState = (typeof inboxStates)[number];

interface Judged {
  state: InboxState;
  verdict: Verdict | null;
  /** The lifecycle rule that gave the verdict. */
  rule: string | null;
}

/** An event as the inbox lists it: never its body. */
export interface InboxItem extends Judged {
  id: number;
  eventId: string;
  channel: EventChannel;
  reservationId: number | null;
  receivedAt: Instant;
  /** How often it came. */
  copies: number;
  /** When its workflow first had it. */
  sentAt: Instant | null;
  /** How often it was sent again because no verdict came. */
  resends: number;
  verdictAt: Instant | null;
  /** Refused sends, and the code of the last one: of a dead letter the reason. */
  failures: number;
  lastError: string | null;
  /** How often a person had it read again, and when last. */
  replays: number;
  replayedAt: Instant | null;
}

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
export interface InboxEvent extends InboxItem {
  /** What `eventId` is. */
  identity: 'webhook-id' | 'content';
  path: string;
  /** Those that are kept. */
  headers: Record<string, string>;
  /** The body, its content coding taken off where that can be; null where it is gone or cannot be decrypted. */
  raw: { encoding: 'utf-8' | 'base64'; content: string } | null;
  /** As today's code and profile read it. */
  event: ReadableEvent | null;
  unreadable: Unreadable | null;
  /** The lines of its reservation's story that tell of it. */
  timeline: Omit<TimelineEntry, 'attention'>[];
  /** How it stood before each time that a person had it read again, the first time first. */
  earlier: EarlierReading[];
}

interface EarlierReading extends Judged {
  /** Which time it was read again then, from 1. */
  replay: number;
  at: Instant;
  by: string;
  reservationId: number | null;
  verdictAt: Instant | null;
  failures: number;
  lastError: string | null;
}

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

/** Events that wait for the relay again; `replay` tells which time it is. */
export interface Replayed extends Rest {
  events: { id: number; reservationId: number | null; replay: number }[];
}

/** An event as it stands, and what would become of it. */
export interface ForeseenReplay extends Judged {
  id: number;
  /** As today's profile reads it; else as it was read at first. */
  reservationId: number | null;
  /** Null: its workflow takes no event; `code` says how that ended. */
  foreseen: { verdict: Verdict; rule: string } | null;
  /** Why it cannot be read or is not taken. */
  code: string | null;
  /** What would differ in its reservation's view. */
  changes: Change[];
}
export interface ForeseenReplays extends Rest {
  events: ForeseenReplay[];
}
