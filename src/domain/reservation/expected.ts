import type { Instant } from '../shared/time.js';
import { type Belief, isUsed } from './belief.js';
import type { ReservationState } from './state.js';
import { reachedAt } from './status-evidence.js';
import type { Display } from './types.js';

/** A prediction, never a fact: the status that should come next, and by when (null: unknown). */
export function expectedNext(
  state: ReservationState,
  { status, ...rest }: Belief,
  now: Instant,
): { code: number; by: Instant | null } | null {
  const { code } = status;
  if (code === null || status.terminal) return null;
  const { dispatchLeadMs, overdueGraceMs, recallOverdueMs } = state.policy;
  const period = rest.facts.period?.value ?? null;
  const ended = period !== null && now >= period.end;
  if (code === 30) return { code: 35, by: (reachedAt(state, 30) ?? now) + recallOverdueMs };
  if (code === 25) return { code: 30, by: period !== null && !ended ? period.end : null };
  if (isUsed({ status, ...rest })) {
    if (ended) return { code: 25, by: period.end + overdueGraceMs };
    return code === 20 ? { code: 30, by: period?.end ?? null } : { code: 20, by: null };
  }
  if (ended) return { code: 45, by: period.end + overdueGraceMs };
  if (code === 15) return { code: 20, by: null };
  if (code === 10) return { code: 15, by: period?.start ?? null };
  return { code: 10, by: period === null ? null : period.start - dispatchLeadMs };
}

/** What a channel shows its customer (specification, States). */
export function displayFor(code: number | null): Display {
  if (code === 15) return 'assigned-car';
  if (code === 20 || code === 25) return 'in-use';
  return code === 30 ? 'use-completed' : null;
}
