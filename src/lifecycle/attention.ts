import { attentionNotFound, attentionText, clearedText, resolvedText } from './messages.js';
import type { RaisedAttention, ReservationState } from './state.js';
import { follow, quiet, type Step, tell } from './timeline.js';
import type { AttentionKind, Instant, Refusal } from './types.js';
import { type Watch, watches } from './watches.js';

const ruleOf: Readonly<Record<AttentionKind, string>> = {
  'terminal-contradiction': 'L08',
  'retrieve-car': 'L28',
  'return-late': 'L43',
  'handover-late': 'L41',
  'dispatch-not-started': 'L40',
  'callback-overdue': 'L42',
  'recall-overdue': 'L45',
  'command-unknown': 'L24',
  'not-announced': 'L46',
  conflict: 'L10',
  'unknown-status': 'L11',
  incomplete: 'L05',
  ambiguous: 'L13',
  'odd-period': 'L17',
  'spec-violation': 'L06',
};

const gravity = Object.keys(ruleOf);

/**
 * Brings the attention items in step with the state at `now`: raises what has become due, once however late
 * (L48), and clears what lost its cause.
 */
export function reconcile(state: ReservationState, now: Instant): Step {
  const looked = { ...state, lookedAt: Math.max(state.lookedAt, now) };
  const due = watches(looked).filter((watch) => watch.at <= now);
  const kinds = [
    ...new Set([...state.attention.map((item) => item.kind), ...due.map((watch) => watch.kind)]),
  ];
  return kinds.reduce<Step>(
    (step, kind) => follow(step, (s) => settleKind(s, kind, due, now)),
    quiet(looked),
  );
}

function settleKind(state: ReservationState, kind: AttentionKind, due: Watch[], now: Instant): Step {
  const causes = due.filter((watch) => watch.kind === kind);
  const item = state.attention.find((one) => one.kind === kind);
  if (causes.length === 0) return item === undefined ? quiet(state) : clear(state, item, now);
  const keys = causes.map((watch) => watch.key);
  const isNew = keys.some((key) => !item?.keys.includes(key));
  const since = Math.min(item?.since ?? Number.POSITIVE_INFINITY, ...causes.map((watch) => watch.at));
  const next = { kind, keys, since, resolved: isNew ? null : (item?.resolved ?? null) };
  const raised = put(state, next);
  if (!isNew) return quiet(raised);
  const data = { kind, since, again: item !== undefined };
  return tell(quiet(raised), now, {
    kind: 'timer',
    rule: ruleOf[kind],
    text: attentionText(kind, raised),
    data,
  });
}

function put(state: ReservationState, item: RaisedAttention): ReservationState {
  const others = state.attention.filter((one) => one.kind !== item.kind);
  const attention = [...others, item].sort((a, b) => gravity.indexOf(a.kind) - gravity.indexOf(b.kind));
  return { ...state, attention };
}

function clear(state: ReservationState, item: RaisedAttention, now: Instant): Step {
  const attention = state.attention.filter((one) => one !== item);
  const cleared = quiet({ ...state, attention });
  if (item.resolved !== null) return cleared;
  const { kind } = item;
  return tell(cleared, now, { kind: 'timer', rule: ruleOf[kind], text: clearedText(kind), data: { kind } });
}

/** Items that wait for somebody. */
export function openAttention(state: ReservationState): RaisedAttention[] {
  return state.attention.filter((item) => item.resolved === null);
}

/** Why a person cannot resolve an item of this kind now; null where they can. */
export function checkResolveAttention(state: ReservationState, kind: AttentionKind): Refusal | null {
  if (openAttention(state).some((item) => item.kind === kind)) return null;
  return attentionNotFound(kind);
}

/**
 * A person settles an item while its cause holds; it stays settled until something new of its kind happens. The
 * reason is kept in the state and not told in the timeline (L60).
 */
export function resolveAttention(
  state: ReservationState,
  { kind, reason, by }: { kind: AttentionKind; reason: string; by: string },
  now: Instant,
): Step {
  const item = openAttention(state).find((one) => one.kind === kind);
  if (item === undefined) return quiet(state);
  const resolved = put(state, { ...item, resolved: { at: now, by, reason } });
  const line = {
    kind: 'decision' as const,
    rule: ruleOf[kind],
    text: resolvedText(kind, by),
    data: { kind, by },
  };
  return tell(quiet(resolved), now, line);
}
