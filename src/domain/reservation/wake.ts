import type { Instant } from '../shared/time.js';
import { leaveOpen, openAttention, raiseOpen, reconcile } from './attention.js';
import { type Belief, belief } from './belief.js';
import { nextLookAheadAt } from './look-ahead.js';
import { message } from './messages/message.js';
import { hasOpenNote, noteTurns } from './recall-note.js';
import { retryDeadline } from './retry.js';
import type { CommandRecord, ReservationState } from './state.js';
import { firstReportedAt } from './status-evidence.js';
import { isTerminal } from './statuses.js';
import { addEntry, follow, type Step, stepTo } from './timeline.js';
import { watches } from './watches.js';

/** Deadlines that have passed by `now` take effect, once however late (L48); idempotent. */
export function wake(state: ReservationState, now: Instant, what = belief(state)): Step {
  return follow(reconcile(state, now, what), (s) => recordClosing(s, now, what));
}

/** L47: the end of the settle time is recorded once; a later end opens it again. */
function recordClosing(state: ReservationState, now: Instant, what: Belief): Step {
  const closed = isClosed(state, now, what);
  if (closed === (state.closedAt !== null)) return stepTo(state);
  if (!closed) return raiseOpen({ ...state, closedAt: null }, now, what);
  const recorded = addEntry(stepTo({ ...state, closedAt: now }), now, {
    kind: 'timer',
    rule: 'L47',
    messages: [message('closed', {})],
    data: { status: what.status.code },
  });
  return follow(recorded, (s) => leaveOpen(s, now));
}

/**
 * The next instant at which `wake` or `dispatchNext` could do something; null when only a message can. Always
 * after the last `lookedAt`, so a run that wakes and sleeps makes progress.
 */
export function nextDeadline(state: ReservationState, what = belief(state)): Instant | null {
  const closing = closesAt(state, what);
  const instants = [
    ...watches(state, what).map(({ at }) => at),
    ...state.commands.flatMap((one) => turnOf(what, one)),
    ...predictionTurns(what),
    ...nextLookAheadAt(state, what),
    ...noteTurns(state),
    ...(closing === null ? [] : [closing]),
  ];
  const coming = instants.filter((at) => at > state.lookedAt);
  return coming.length === 0 ? null : Math.min(...coming);
}

/** When a command is due again: its next try, or the end of its wait for a suspended role (L30). */
function turnOf(what: Belief, record: CommandRecord): Instant[] {
  if (record.role === 'held') return [retryDeadline(what, record)];
  return record.nextTryAt === null ? [] : [record.nextTryAt];
}

/** L42, L43: what is expected changes when the period ends. */
function predictionTurns({ status, facts }: Belief): Instant[] {
  return status.terminal || facts.period === null ? [] : [facts.period.value.end];
}

/** L47: the settle time after the last terminal, unless a physical task is open. */
function closesAt(state: ReservationState, { status }: Belief): Instant | null {
  if (!status.terminal) return null;
  if (openAttention(state).some(({ kind }) => kind === 'retrieve-car')) return null;
  const reportedAt = state.statuses
    .filter(({ code }) => isTerminal(code))
    .flatMap(({ code }) => firstReportedAt(state, code) ?? []);
  return Math.max(...reportedAt) + state.policy.settleMs;
}

/** L47: whether the run may end. */
export function isClosed(state: ReservationState, now: Instant, what = belief(state)): boolean {
  const closing = closesAt(state, what);
  return (
    closing !== null &&
    closing <= now &&
    !hasOpenNote(state) &&
    !state.commands.some((one) => one.state === 'out')
  );
}
