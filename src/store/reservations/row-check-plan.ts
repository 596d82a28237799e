import { day, type Instant } from '../../domain/shared/time.js';

/** Raise it when the rows of lists show something new of reservations that are open already: all of them are written again then. */
export const rowsVersion = 2;

/** From the end of a round to the next one. */
const everyMs = day;

/** Milliseconds between two queries of the whole deployment, in a usual round and in an urgent one. */
export interface Pace {
  usualMs: number;
  urgentMs: number;
}

/** Each query may replay a history: 50 ms of CPU. */
export const usualPace: Pace = { usualMs: 500, urgentMs: 100 };

/** The last round of which rows of lists are compared with their workflows, or the one that is under way. */
export interface StoredRound {
  version: number;
  /** Null: not known. */
  database: string | null;
  /** Null: it is under way. */
  endedAt: Instant | null;
}

/** `continue`: where the round under way has come to. The others begin a round: `urgent` where the rows may be of another state. */
export type RoundPlan = 'none' | 'continue' | 'usual' | 'urgent';

/** What a process does about the rows of lists. @param now by the database's clock, as the instants of the round */
export function planRound(
  stored: StoredRound | undefined,
  { version, database, now }: { version: number; database: string | null; now: Instant },
): RoundPlan {
  if (stored === undefined || stored.version < version) return 'urgent';
  if (database !== null && stored.database !== null && stored.database !== database) return 'urgent';
  if (stored.endedAt === null) return 'continue';
  // an end that lies ahead was written before the clock was set back
  return Math.abs(now - stored.endedAt) >= everyMs ? 'usual' : 'none';
}
