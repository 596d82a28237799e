import type { Instant } from '../domain/reservation/index.js';
import type {
  ForeseenReplays,
  InboxEvent,
  InboxFilter,
  InboxItem,
  Replayed,
  ReplaySelection,
} from '../store/callbacks/types.js';

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
   * The active relay: since when it is, and from where it connects (null: the machine of the database). Null: none is active.
   */
  relay: { since: Instant; address: string | null } | null;
  /** What FORWARD_URL has not taken yet; null: nothing is forwarded. */
  forwarding: { events: number; oldestAt: Instant | null } | null;
  asOf: Instant;
}
