import { markOf } from '../shared/idempotency.js';
import type { Instant } from '../shared/time.js';
import { type Action, staffActions } from './actions.js';
import { reconcile } from './attention.js';
import { type Belief, belief } from './belief.js';
import { givenUpEntry, type Obstacle } from './command-entries.js';
import { close, putCommand, type Resolution, resolveByPerson, urlBeforeSending } from './command-outcome.js';
import { findCommand, isSupplier, missingSteps, notAllowed } from './guards.js';
import { message } from './messages/message.js';
import { retryDeadline } from './retry.js';
import type { CommandRecord, ReservationState } from './state.js';
import { addEntry, follow, type Step, stepTo } from './timeline.js';
import type { Command, CommandBody } from './types.js';

/** One request to send. */
export interface AttemptToSend {
  commandId: string;
  action: Action;
  body: CommandBody;
  /** 1 for the first. */
  number: number;
  /** How often it was held back, once recorded, since the last attempt that may have arrived: with `number` it identifies requests. */
  waits: number;
  /** Business identity, the same for every attempt: `reservationId:action:commandId`. */
  idempotencyKey: string;
}

/** Accepts a command that `decide` has allowed; a repeat changes nothing (L21). */
export function accept(state: ReservationState, command: Command, now: Instant): Step {
  if (findCommand(state, command.commandId) !== undefined) return stepTo(state);
  const { commandId, action, body, by, override } = command;
  const what = belief(state);
  const skipped = override === undefined ? [] : missingSteps(state, what, action);
  const record: CommandRecord = {
    commandId,
    action,
    content: markOf(action, body),
    body,
    by,
    override: override ?? null,
    at: now,
    state: 'queued',
    attempts: 0,
    waits: 0,
    doubtful: false,
    refusedForState: false,
    nextTryAt: null,
    role: null,
    settledAt: null,
    settledBy: null,
    code: null,
    message: null,
    skipped,
    urlBefore: null,
    carId: what.facts.car?.value.id ?? null,
  };
  return addEntry(stepTo(putCommand(state, record)), now, {
    kind: 'command',
    rule: skipped.length === 0 ? 'L20' : 'L27',
    messages: [message('command.requested', { action, by, overridden: override !== undefined, skipped })],
    data: {
      commandId,
      action,
      by,
      override: override !== undefined,
      ...(skipped.length > 0 && { skipped: skipped.join(', ') }),
    },
  });
}

/**
 * The next request to send, if the slot is free and one is due (L26). A command is checked again at its turn
 * (L20); one that is no longer allowed, or whose time is over, ends here and the next is checked.
 */
export function dispatchNext(
  state: ReservationState,
  now: Instant,
  what = belief(state),
): Step & { attempt: AttemptToSend | null } {
  const isFree = state.commands.every((one) => one.state !== 'out');
  if (!isFree || !state.commands.some(mayBeSent)) return { ...stepTo(state), attempt: null };
  const due = state.commands.find((one) => isDue(what, one, now));
  if (due === undefined) return { ...stepTo(state), attempt: null };
  const obstacle = obstacleTo(state, what, due, now);
  if (obstacle === null) return send(state, due);
  const ended = giveUp(state, due, obstacle, now);
  const rest = dispatchNext(ended.state, now, what);
  return { ...follow(ended, () => rest), attempt: rest.attempt };
}

function mayBeSent({ state, nextTryAt, role }: CommandRecord): boolean {
  return state === 'queued' || nextTryAt !== null || role === 'held';
}

/** What waits ends with the reservation (L28); a command whose role is suspended has no next try, yet a deadline (L30). */
function isDue(what: Belief, record: CommandRecord, now: Instant): boolean {
  const { state, nextTryAt, role } = record;
  if (!mayBeSent(record)) return false;
  if (what.status.terminal || state === 'queued') return true;
  return role === 'held' ? now >= retryDeadline(what, record) : nextTryAt !== null && nextTryAt <= now;
}

function obstacleTo(
  state: ReservationState,
  what: Belief,
  record: CommandRecord,
  now: Instant,
): Obstacle | null {
  const again = record.state !== 'queued';
  if (again && now >= retryDeadline(what, record))
    return { code: 'TIME_OVER', message: message('command.time-over', {}) };
  return notAllowed(what.status.code, isSupplier(state), record);
}

function send(state: ReservationState, record: CommandRecord): Step & { attempt: AttemptToSend } {
  const { commandId, action, body, sameIds = 0 } = record;
  const number = record.attempts + 1;
  const urlBefore = staffActions[action].shownBy === 'imageUrl' ? urlBeforeSending(state) : null;
  const out: CommandRecord = { ...record, state: 'out', attempts: number, nextTryAt: null, urlBefore };
  const idempotencyKey = `${state.reservationId}:${action}:${commandId}`;
  // 0.3.0 sets the waits to 0, and passes on what it does not know
  const waits = Math.max(record.waits - sameIds, 0);
  const attempt = { commandId, action, body: body ?? {}, number, waits, idempotencyKey };
  return { ...stepTo(putCommand(state, out)), attempt };
}

/** What may have happened stays unknown; what certainly did not is rejected. */
function giveUp(state: ReservationState, record: CommandRecord, obstacle: Obstacle, now: Instant): Step {
  const outcome = record.doubtful ? 'unknown' : 'rejected';
  const ended = close(record, { state: outcome, settledBy: null, ...obstacle }, now);
  const step = addEntry(stepTo(putCommand(state, ended)), now, givenUpEntry(record, outcome, obstacle));
  return follow(step, (s) => reconcile(s, now));
}

/** A person resolves an unknown outcome, which `checkResolve` has allowed. */
export function resolveCommand(state: ReservationState, resolution: Resolution, now: Instant): Step {
  return follow(resolveByPerson(state, resolution, now), (s) => reconcile(s, now));
}

/**
 * The role's key works again (L30): the commands that wait for it are due at once. One that is then refused for the
 * key's rights all the same ends: it is about this reservation.
 */
export function restoreRole(state: ReservationState, now: Instant): Step {
  const held = state.commands.filter(({ role }) => role === 'held');
  return held.reduce<Step>((step, record) => follow(step, (s) => releaseOne(s, record, now)), stepTo(state));
}

function releaseOne(state: ReservationState, record: CommandRecord, now: Instant): Step {
  const { commandId, action } = record;
  const due = { ...record, role: 'restored' as const, nextTryAt: now };
  return addEntry(stepTo(putCommand(state, due)), now, {
    kind: 'command',
    rule: 'L30',
    messages: [message('command.key-works', { action })],
    data: { commandId, action },
  });
}
