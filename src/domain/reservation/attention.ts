import type { Message } from '../shared/message.js';
import type { Instant } from '../shared/time.js';
import { attentionMessage } from './attention-messages.js';
import { type Belief, belief } from './belief.js';
import { storeDecision } from './decisions.js';
import { expectedNext } from './expected.js';
import { clearedAlert, raisedAlert } from './messages/alerts.js';
import { message } from './messages/message.js';
import { expectation } from './moves.js';
import { attentionNotFound } from './refusals.js';
import type { RaisedAttention, ReservationState } from './state.js';
import { addEntry, follow, type Step, stepTo } from './timeline.js';
import type { AttentionKind, Refusal } from './types.js';
import { type Watch, watches } from './watches.js';

const ruleOf: Readonly<Record<AttentionKind, string>> = {
  'terminal-contradiction': 'L08',
  'retrieve-car': 'L28',
  'next-in-danger': 'F61',
  'return-late': 'L43',
  'handover-late': 'L41',
  'dispatch-not-started': 'L40',
  'callback-overdue': 'L42',
  'recall-overdue': 'L45',
  'command-unknown': 'L24',
  'note-not-kept': 'F59',
  'not-announced': 'L46',
  conflict: 'L10',
  'unknown-status': 'L11',
  incomplete: 'L05',
  ambiguous: 'L13',
  'schedule-missing': 'L19',
  'schedule-differs': 'L19',
  'odd-period': 'L17',
  'spec-violation': 'L06',
};

/** The gravest first, as docs/operations.md lists them. */
export const gravestFirst = Object.keys(ruleOf) as readonly AttentionKind[];
/** Kinds that time raises; events and commands raise the others. */
const timed: readonly AttentionKind[] = [
  'dispatch-not-started',
  'handover-late',
  'callback-overdue',
  'return-late',
  'next-in-danger',
  'recall-overdue',
  'not-announced',
  'incomplete',
  'ambiguous',
];

/**
 * Brings the attention items in step with the state at `now`: raises what has become due, once however late
 * (L48), and clears what lost its cause. It changes nothing that a belief rests on.
 */
export function reconcile(state: ReservationState, now: Instant, what = belief(state)): Step {
  const ended = recordPeriodEnd(state, now, what);
  const current = ended.state;
  const due = watches(current, what).filter((watch) => watch.at <= current.lookedAt);
  const kinds = [
    ...new Set([...state.attention.map((item) => item.kind), ...due.map((watch) => watch.kind)]),
  ];
  return kinds.reduce<Step>(
    (step, kind) => follow(step, (s) => reconcileKind(s, what, kind, due, now)),
    ended,
  );
}

/** L42, L43: an expectation that time alone changed is recorded once, before events of the same instant. */
export function recordPeriodEnd(known: ReservationState, now: Instant, what: Belief): Step {
  const state = { ...known, lookedAt: Math.max(known.lookedAt, now) };
  const before = expectedNext(state, what, known.lookedAt);
  const after = expectedNext(state, what, state.lookedAt);
  if (after === null || before?.code === after.code) return stepTo(state);
  return addEntry(stepTo(state), state.lookedAt, {
    kind: 'timer',
    rule: after.code === 45 ? 'L42' : 'L43',
    messages: [message('period.ended', {}), expectation(after, state.lookedAt)],
    data: { expected: after.code, by: after.by },
  });
}

function reconcileKind(
  state: ReservationState,
  what: Belief,
  kind: AttentionKind,
  due: Watch[],
  now: Instant,
): Step {
  const item = state.attention.find((one) => one.kind === kind);
  const causes = causesOf(
    due.filter((watch) => watch.kind === kind),
    item,
  );
  const keys = Object.keys(causes);
  if (keys.length === 0) return item === undefined ? stepTo(state) : clear(state, item, now);
  const isNew = item === undefined || keys.some((key) => !(key in item.causes));
  const next = { kind, causes, resolved: isNew ? null : item.resolved };
  const raised = put(state, next);
  return isNew
    ? raise(stepTo(raised), what, next, item !== undefined && item.resolved === null, now)
    : stepTo(raised);
}

/** Since when each cause holds; one that continues retains its beginning. */
function causesOf(due: Watch[], item: RaisedAttention | undefined): RaisedAttention['causes'] {
  return Object.fromEntries(
    due.map(({ key, at }): [string, Instant] => [key, Math.min(item?.causes[key] ?? at, at)]),
  );
}

/** Since when an item holds. */
export function sinceOf({ causes }: RaisedAttention): Instant {
  return Math.min(...Object.values(causes));
}

function raise(step: Step, what: Belief, item: RaisedAttention, again: boolean, now: Instant): Step {
  const { kind, causes } = item;
  const since = sinceOf(item);
  const rule = ruleOf[kind];
  const subject = { state: step.state, what, keys: Object.keys(causes) };
  const alert = raisedAlert(kind, rule, subject);
  return addEntry(step, now, {
    kind: timed.includes(kind) ? 'timer' : 'decision',
    rule,
    messages: [message('item.raised', { kind, since, again }), attentionMessage(kind, subject)],
    data: { kind, since, again },
    attention: { kind, change: 'raised', since, alert, ...(again && { again }) },
  });
}

/** The sentence of an item in the view, for the staff of the reservation. */
export function messageOf(state: ReservationState, what: Belief, { kind, causes }: RaisedAttention): Message {
  return attentionMessage(kind, { state, what, keys: Object.keys(causes) });
}

function put(state: ReservationState, item: RaisedAttention): ReservationState {
  const others = state.attention.filter((one) => one.kind !== item.kind);
  const attention = [...others, item].sort(
    (a, b) => gravestFirst.indexOf(a.kind) - gravestFirst.indexOf(b.kind),
  );
  return { ...state, attention };
}

function clear(state: ReservationState, item: RaisedAttention, now: Instant): Step {
  const attention = state.attention.filter((one) => one !== item);
  const cleared = stepTo({ ...state, attention });
  if (item.resolved !== null) return cleared;
  const { kind } = item;
  return addEntry(cleared, now, {
    kind: 'decision',
    rule: ruleOf[kind],
    messages: [message('item.cleared', { kind })],
    data: { kind },
    attention: toCleared(state, item, 'cause'),
  });
}

/** L47: what is open when the reservation closes stays in its case file; operations are notified that nothing follows. */
export function leaveOpen(state: ReservationState, now: Instant): Step {
  return openAttention(state).reduce<Step>(
    (step, item) =>
      addEntry(step, now, {
        kind: 'timer',
        rule: 'L47',
        messages: [message('item.left-open', { kind: item.kind })],
        data: { kind: item.kind },
        attention: toCleared(state, item, 'closing'),
      }),
    stepTo(state),
  );
}

/** A later event undid the closing: open items wait for staff again. */
export function raiseOpen(state: ReservationState, now: Instant, what: Belief): Step {
  return openAttention(state).reduce<Step>((step, item) => raise(step, what, item, true, now), stepTo(state));
}

function toCleared(
  { reservationId }: ReservationState,
  item: RaisedAttention,
  by: { person: string } | 'cause' | 'closing',
) {
  const alert = clearedAlert(item.kind, ruleOf[item.kind], reservationId, by);
  return { kind: item.kind, change: 'cleared' as const, since: sinceOf(item), alert };
}

/** Items that wait for staff. */
export function openAttention(state: ReservationState): RaisedAttention[] {
  return state.attention.filter((item) => item.resolved === null);
}

/** Why a person cannot resolve an item of this kind now; null where they can. */
export function checkResolveAttention(state: ReservationState, kind: AttentionKind): Refusal | null {
  if (openAttention(state).some((item) => item.kind === kind)) return null;
  return attentionNotFound(kind);
}

/**
 * A person resolves an item while its cause holds; it stays resolved until something new of its kind happens. The
 * reason is stored in the state, not in the timeline (L60).
 */
export function resolveAttention(
  state: ReservationState,
  { kind, reason, by }: { kind: AttentionKind; reason: string; by: string },
  now: Instant,
): Step {
  const item = openAttention(state).find((one) => one.kind === kind);
  if (item === undefined) return stepTo(state);
  const withDecision = storeDecision(state, { at: now, by, about: kind, reason });
  const resolved = put(withDecision, { ...item, resolved: { at: now, by } });
  return addEntry(stepTo(resolved), now, {
    kind: 'decision',
    rule: ruleOf[kind],
    messages: [message('item.resolved', { kind, by })],
    data: { kind, by },
    attention: toCleared(state, item, { person: by }),
  });
}
