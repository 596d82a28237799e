import { type Answer, mayHaveRun } from '../api/read-answer.js';
import type { Action, Command, Problem } from '../api/types.js';

/** An action of the user that this phone stores until it has an outcome. Its photo is stored beside it. */
export interface Entry {
  /** Entries of one reservation are sent in this order. */
  order: number;
  /** The Idempotency-Key: however often it is sent, it acts once. */
  key: string;
  /** The user; no other login sends it. */
  by: string;
  at: number;
  reservationId: number;
  plate: string | null;
  action: Action;
  fields: Record<string, string>;
  hasPhoto: boolean;
  /**
   * `waiting`: none of its attempts was executed. `lost`: one may have been, and it is sent again with its key. `open`: the service has
   * it, the outcome is not known.
   * `rejected`: it is not executed, and the entries after it wait for the user.
   */
  state: 'waiting' | 'sending' | 'lost' | 'open' | 'rejected';
  /** Why it was rejected, or has no outcome. */
  problem: Problem | null;
  /** What the service awaits of an open one. */
  awaited: Command['outcome'] | null;
}

/** The entry after an answer; null: it has its outcome, and nothing of it stays on the phone. */
export function afterAnswer(before: Entry, answer: Answer): Entry | null {
  switch (answer.is) {
    case 'applied':
      return null;
    case 'open':
      return { ...before, state: 'open', awaited: answer.body.outcome };
    case 'rejected':
      return { ...before, state: 'rejected', problem: answer.problem };
    case 'login':
      return before;
    case 'lost':
      return {
        ...before,
        // the service has lost it: it is sent again with its key
        state: answer.isGone ? 'lost' : stateAfter(before, answer.problem),
        problem: answer.problem ?? null,
      };
    default:
      return { ...before, state: stateAfter(before), problem: null };
  }
}

/** After an attempt without an outcome. */
function stateAfter({ state }: Entry, problem?: Problem): Entry['state'] {
  if (state === 'open') return 'open';
  return state === 'lost' || mayHaveRun(problem) ? 'lost' : 'waiting';
}

/**
 * The entry whose turn it is: the first of its reservation, of this user, not rejected.
 * @param passed reservations that wait in this round
 */
export function nextEntry(
  entries: readonly Entry[],
  user: string,
  passed: ReadonlySet<number>,
): Entry | null {
  const seen = new Set(passed);
  for (const entry of [...entries].sort((a, b) => a.order - b.order)) {
    if (seen.has(entry.reservationId)) continue;
    seen.add(entry.reservationId);
    if (entry.by === user && entry.state !== 'rejected') return entry;
  }
  return null;
}
