import type { Instant } from '../shared/time.js';
import { earliestStatus, targetOf } from './actions.js';
import { type Belief, isImpossible, isUsed, missingFacts } from './belief.js';
import { lateSteps } from './lateness.js';
import { nextAtRisk } from './next-at-risk.js';
import type { NoteRecord } from './note-record.js';
import type { CommandRecord, ReservationState } from './state.js';
import { firstReportedAt, reachedAt, shownByCallbacks } from './status-evidence.js';
import { isTerminal, rank } from './statuses.js';
import type { AttentionKind } from './types.js';

/**
 * Something that calls for attention from `at` on, as long as the state stays as it is. The same table gives
 * both the attention items (`at` has passed) and the deadlines (`at` is to come).
 */
export interface Watch {
  kind: AttentionKind;
  key: string;
  at: Instant;
}

/** An unknown outcome that retries may still resolve is shown as attention from this attempt on. */
const doubtfulAttempts = 3;

export function watches(state: ReservationState, what: Belief): Watch[] {
  const always = [...contradictions(state, what), ...oddities(state, what), ...commandTroubles(state)];
  const open = what.status.terminal
    ? []
    : [
        ...againstSchedule(state, what),
        ...beforeUse(state, what),
        ...inUse(state, what),
        ...nextUse(state, what),
      ];
  return [...always, ...open, ...afterReturn(state, what), ...openEnds(state, what)];
}

/** L08-L10, and the physical task of L28. */
function contradictions(state: ReservationState, { status }: Belief): Watch[] {
  const since = (pair: [number, number]) =>
    Math.max(...pair.flatMap((code) => firstReportedAt(state, code) ?? []));
  const watch = (kind: AttentionKind) => (pair: [number, number]) => ({
    kind,
    key: pair.join('-'),
    at: since(pair),
  });
  return [
    ...status.contradictions.map(watch('terminal-contradiction')),
    ...status.conflicts.map(watch('conflict')),
    ...carToFetch(state, status),
  ];
}

/**
 * L28: cancelled with the car under way, or possibly under way. The task to fetch it outlasts whatever is
 * reported later: it is over when a person resolves it, or takes the cancellation back.
 */
function carToFetch(state: ReservationState, { code, reached }: Belief['status']): Watch[] {
  const at = firstReportedAt(state, 40);
  if (at === null) return [];
  const isOpen = state.attention.some(({ kind, causes }) => kind === 'retrieve-car' && '40' in causes);
  if (isOpen || (code === 40 && '10' in reached)) return [{ kind: 'retrieve-car', key: '40', at }];
  if (code !== 40) return [];
  return state.commands.filter(mayHaveStarted).map(({ commandId, settledAt }) => ({
    kind: 'retrieve-car',
    key: commandId,
    at: Math.max(at, settledAt ?? at),
  }));
}

/** Of unknown outcome, and one that the platform takes only from a car under way or handed over. */
function mayHaveStarted({ action, state }: CommandRecord): boolean {
  return state === 'unknown' && rank(targetOf(action) ?? earliestStatus(action)) >= rank(10);
}

/** L06, L11, L13, L17. */
function oddities(state: ReservationState, { facts }: Belief): Watch[] {
  const unknown = state.unknownStatuses.map(
    ({ code, at }): Watch => ({ kind: 'unknown-status', key: `${code}`, at }),
  );
  const ambiguous = Object.entries(facts).flatMap(([name, fact]): Watch[] =>
    fact === null || fact.ambiguousSince === null
      ? []
      : [{ kind: 'ambiguous', key: name, at: fact.ambiguousSince + state.policy.ambiguousMs }],
  );
  const { period, createdAt } = facts;
  const odd = period !== null && isImpossible(period.value, createdAt?.value ?? null);
  const violated = state.specViolatedAt;
  return [
    ...unknown,
    ...ambiguous,
    ...(violated === null ? [] : [{ kind: 'spec-violation' as const, key: 'registration', at: violated }]),
    ...(odd
      ? [{ kind: 'odd-period' as const, key: `${period.value.start}-${period.value.end}`, at: period.at }]
      : []),
  ];
}

/** L19: the platform's schedule, read twice, shows otherwise; not where something newer than the reading is believed. */
function againstSchedule({ scheduled }: ReservationState, { facts: { period, car } }: Belief): Watch[] {
  if (!scheduled?.confirmed || period === null || car === null) return [];
  const { at, entry } = scheduled;
  if (Math.max(period.at, car.at) > at) return [];
  if (entry === null) return [{ kind: 'schedule-missing', key: 'entry', at }];
  const { scheduleId, carId, start, end } = entry;
  const agrees = car.value.id === carId && period.value.start === start && period.value.end === end;
  return agrees ? [] : [{ kind: 'schedule-differs', key: `${scheduleId}:${carId}:${start}-${end}`, at }];
}

/** L24, L46. */
function commandTroubles(state: ReservationState): Watch[] {
  const lost = state.commands.filter(isLost).map(
    ({ commandId, settledAt, at }): Watch => ({
      kind: 'command-unknown',
      key: commandId,
      at: settledAt ?? at,
    }),
  );
  return [
    ...lost,
    ...failedNotes(state),
    ...(state.policy.roles.includes('channel') ? unannounced(state) : []),
  ];
}

/** F59. */
function failedNotes({ notes = [] }: ReservationState): Watch[] {
  const isLeft = ({ outcome }: NoteRecord) => outcome === 'rejected' || outcome === 'unknown';
  return notes
    .filter(isLeft)
    .map(({ commandId, settledAt, at }) => ({ kind: 'note-not-kept', key: commandId, at: settledAt ?? at }));
}

/** Its outcome is unknown, also after retries; one more attempt on the wire changes nothing. */
function isLost({ state, doubtful, attempts, nextTryAt, role }: CommandRecord): boolean {
  if (state === 'out') return doubtful && attempts > doubtfulAttempts;
  const isRetried = (nextTryAt !== null || role !== null) && attempts < doubtfulAttempts;
  return state === 'unknown' && !isRetried;
}

/** Once a callback has reported the end, nothing before it is awaited. */
function unannounced(state: ReservationState): Watch[] {
  if (state.statuses.some(({ code, observed }) => isTerminal(code) && observed !== null)) return [];
  const silent = ({ action, state: outcome, settledBy }: CommandRecord) => {
    const target = targetOf(action);
    return (
      target !== null && outcome === 'applied' && settledBy === 'answer' && !shownByCallbacks(state, target)
    );
  };
  return state.commands.filter(silent).map(({ commandId, settledAt, at }) => ({
    kind: 'not-announced',
    key: commandId,
    at: (settledAt ?? at) + state.policy.notAnnouncedMs,
  }));
}

/** L40-L42, of an open reservation: the car has not been taken over. */
function beforeUse(state: ReservationState, what: Belief): Watch[] {
  const period = what.facts.period?.value;
  const code = what.status.code;
  if (period === undefined || code === null || isUsed(what)) return [];
  const { dispatchLeadMs, overdueGraceMs, roles } = state.policy;
  const { start, end } = period;
  const notStarted = code === 5 && roles.includes('supplier');
  return [
    ...(notStarted
      ? [{ kind: 'dispatch-not-started' as const, key: `${start}`, at: start - dispatchLeadMs }]
      : []),
    ...(code < 15 ? [{ kind: 'handover-late' as const, key: `${start}`, at: start }] : []),
    { kind: 'callback-overdue', key: `${end}`, at: end + overdueGraceMs },
  ];
}

/** L43, L44. */
function inUse(state: ReservationState, what: Belief): Watch[] {
  return lateSteps(state, what).map((step) => ({ kind: 'return-late', ...step }));
}

/** F61: raised again when the next entry has begun. */
function nextUse(state: ReservationState, what: Belief): Watch[] {
  const atRisk = nextAtRisk(state, what);
  if (atRisk === null) return [];
  const { next, since } = atRisk;
  const key = `${next.scheduleId}@${next.start}`;
  return [
    { kind: 'next-in-danger', key, at: since },
    { kind: 'next-in-danger', key: `${key}+0`, at: Math.max(since, next.start) },
  ];
}

/** L45. */
function afterReturn(state: ReservationState, { status }: Belief): Watch[] {
  const returned = reachedAt(state, 30);
  if (status.code !== 30 || returned === null || !state.policy.roles.includes('supplier')) return [];
  return [{ kind: 'recall-overdue', key: '30', at: returned + state.policy.recallOverdueMs }];
}

/** L05. */
function openEnds(state: ReservationState, what: Belief): Watch[] {
  if (missingFacts(what).length === 0 || what.status.terminal) return [];
  return [{ kind: 'incomplete', key: 'facts', at: state.firstSeenAt + state.policy.incompleteMs }];
}
