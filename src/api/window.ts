import type {
  Change,
  EventChannel,
  Instant,
  ReservationEvent,
  TimelineEntry,
  Verdict,
} from '../lifecycle/index.js';

export const inboxStates = ['received', 'sent', 'done', 'dead'] as const;
type InboxState = (typeof inboxStates)[number];

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
  sentAt: Instant | null;
  verdictAt: Instant | null;
  /** Refused sends, and the code of the last one: of a dead letter the reason. */
  failures: number;
  lastError: string | null;
  /** How often a person had it read again, and when last. */
  replays: number;
  replayedAt: Instant | null;
}

/** `from` <= received < `to`. */
interface InboxSelection {
  reservationId?: number;
  verdict?: Verdict;
  channel?: EventChannel;
  state?: InboxState;
  from?: Instant;
  to?: Instant;
}
interface InboxFilter extends InboxSelection {
  cursor?: string;
  limit: number;
}

/** An event as it reads today. */
export type ReadableEvent = Omit<ReservationEvent, 'contentHash'>;

/** Everything that is known of one event. */
export interface InboxEvent extends InboxItem {
  identity: 'webhook-id' | 'content';
  path: string;
  headers: Record<string, string>;
  /** Null: it is gone, or cannot be decrypted. */
  raw: { encoding: 'utf-8' | 'base64'; content: string } | null;
  event: ReadableEvent | null;
  /** Why it cannot be read. */
  unreadable: { code: string; fields: string[] } | null;
  /** The lines of its reservation's story that tell of it. */
  timeline: Omit<TimelineEntry, 'attention'>[];
  /** How it stood before each time that it was read again. */
  earlier: (Judged & {
    replay: number;
    at: Instant;
    by: string;
    reservationId: number | null;
    verdictAt: Instant | null;
    failures: number;
    lastError: string | null;
  })[];
}

/** One event, or those of a selection that have come to their end. */
export type ReplaySelection = { id: number } | (InboxSelection & { cursor?: string });

/** Events that cannot be read again, with the code why, and the cursor of what is left. */
interface Rest {
  skipped: {
    id: number;
    code: 'EVENT_ON_ITS_WAY' | 'BODY_REMOVED' | 'CODEC_KEY_UNKNOWN' | 'CODEC_PAYLOAD_DAMAGED';
  }[];
  nextCursor: string | null;
}
export interface Replayed extends Rest {
  /** `replay`: which time it is. */
  events: { id: number; reservationId: number | null; replay: number }[];
}
interface ForeseenReplays extends Rest {
  events: (Judged & {
    id: number;
    reservationId: number | null;
    /** Null: it would not be taken; `code` says why. */
    foreseen: { verdict: Verdict; rule: string } | null;
    code: string | null;
    /** What would differ in its reservation's view. */
    changes: Change[];
  })[];
}

/** What people see and do of stored callbacks. */
export interface InboxWindow {
  /** Newest first. */
  list(filter: InboxFilter): Promise<{ items: InboxItem[]; nextCursor: string | null; asOf: Instant }>;
  /** Undefined: no such event. */
  read(id: number): Promise<InboxEvent | undefined>;
  /** Has events read again and sent to their workflows; audited. @throws `CursorError` */
  replay(selection: ReplaySelection, order: { by: string; reason: string }): Promise<Replayed>;
  /** What `replay` would do; nothing is touched. @throws `EngineUnavailableError`, `CursorError` */
  foresee(selection: ReplaySelection): Promise<ForeseenReplays>;
}

/** Callbacks per second. */
interface Rate {
  perSecond1m: number;
  perSecond5m: number;
}

/** How the intake does. */
export interface IntakeState {
  /** Of this process alone. */
  receiver: {
    since: Instant;
    accepted: Rate;
    refused: Rate;
    overloaded: Rate;
    /** Over the last five minutes; null where none was acknowledged. */
    acknowledgedMs: { p50: number; p99: number } | null;
  };
  /** What no workflow has yet, and since when the oldest of it waits. */
  backlog: { events: number; oldestAt: Instant | null };
  deadLetters: number;
  lastEventAt: Instant | null;
  /**
   * The active relay: since when its connection is open, and from where (null: the machine of the database). Both null where
   * its database user is another one. Null: none is active.
   */
  relay: { since: Instant | null; address: string | null } | null;
  /** What FORWARD_URL has not taken yet; null: nothing is forwarded. */
  forwarding: { events: number; oldestAt: Instant | null } | null;
  asOf: Instant;
}
