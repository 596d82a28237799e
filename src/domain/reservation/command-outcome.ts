import { fingerprint } from '../shared/hash.js';
import type { Instant } from '../shared/time.js';
import { earliestStatus, staffActions, targetOf } from './actions.js';
import { belief } from './belief.js';
import { bytesOf, withinBudget } from './bounds.js';
import { claim, current } from './facts.js';
import { findCommand, isFinal } from './guards.js';
import { message } from './messages/message.js';
import { movedEntry } from './moved-entry.js';
import { storeNote } from './recall-note.js';
import { commandNotFound, notUnknown } from './refusals.js';
import type { CommandRecord, ReservationState, StepDone } from './state.js';
import { shownByCallbacks, statusBelief, witness } from './status-evidence.js';
import { addEntry, follow, type NewEntry, type Step, stepTo } from './timeline.js';
import type { Grade, Refusal } from './types.js';

/** Of a reservation. */
export const mostStoredCommands = 64;
/** Total bytes of reasons and answers of final commands; beyond it the oldest lose theirs. */
const mostTextBytes = 4_700;

/** Replaces a command's record; the newest 64 stay, and an open one is never dropped. */
export function putCommand(state: ReservationState, record: CommandRecord): ReservationState {
  const exists = findCommand(state, record.commandId) !== undefined;
  const all = exists
    ? state.commands.map((one) => (one.commandId === record.commandId ? record : one))
    : [...state.commands, record];
  const surplus = all.length - mostStoredCommands;
  const dropped = new Set(all.filter(isFinal).slice(0, Math.max(surplus, 0)));
  const remaining = all.filter((one) => !dropped.has(one));
  return { ...state, commands: withinBudget(remaining, mostTextBytes, finalTexts, withoutTexts) };
}

function finalTexts(record: CommandRecord): number {
  return isFinal(record) ? bytesOf([record.override?.reason, record.message, record.platformMessage]) : 0;
}
function withoutTexts(record: CommandRecord): CommandRecord {
  if (!isFinal(record)) return record;
  const { platformMessage: _, ...rest } = record;
  return { ...rest, message: null, override: record.override && { reason: '…' } };
}

/** Closes a command with an outcome; a final outcome removes its body. */
export function close(
  record: CommandRecord,
  outcome: Pick<CommandRecord, 'state' | 'settledBy' | 'resolvedBy' | 'code' | 'message' | 'platformMessage'>,
  now: Instant,
): CommandRecord {
  // the text of an earlier refusal says nothing about what came after it
  const { platformMessage: _, ...before } = record;
  const closed: CommandRecord = { ...before, ...outcome, nextTryAt: null, role: null, settledAt: now };
  return isFinal(closed) ? { ...closed, body: null } : closed;
}

/** Who settled a command: its answer, a callback, or a person by name. */
interface Resolver {
  settledBy: 'answer' | 'callback' | 'person';
  /** Id of the command, or the person's name. */
  source: string;
}

const gradeByResolver = {
  answer: 'commanded',
  callback: 'corroborated',
  person: 'asserted',
} as const satisfies Record<Resolver['settledBy'], Grade>;

/**
 * A command took effect (L22, L24): the status moves with the grade of the source, and its contents become
 * facts. Where a callback resolved it, the status needs no change: the callback reported it.
 */
export function applyCommand(
  state: ReservationState,
  record: CommandRecord,
  {
    code,
    message: why = null,
    ...resolver
  }: Resolver & Pick<CommandRecord, 'code'> & { message?: CommandRecord['message'] },
  now: Instant,
): ReservationState {
  const { settledBy, source } = resolver;
  const by = settledBy === 'person' ? { resolvedBy: source } : {};
  const closed = close(record, { state: 'applied', message: why, settledBy, ...by, code }, now);
  const moved = moveStatus(putCommand(state, closed), record, resolver, now);
  return storeNote(recordContents(moved, record, resolver, now), record, now);
}

function moveStatus(
  state: ReservationState,
  { action }: CommandRecord,
  { settledBy, source }: Resolver,
  now: Instant,
): ReservationState {
  if (settledBy === 'callback') return state;
  const report = { source, at: now, changedAt: null };
  const target = targetOf(action);
  if (target !== null)
    return witness(state, target, settledBy === 'answer' ? 'commanded' : 'asserted', report);
  const needed = earliestStatus(action);
  return `${needed}` in statusBelief(state).reached ? state : witness(state, needed, 'inferred', report);
}

/** What the request carried: staff, photo, parking facts. */
function recordContents(
  state: ReservationState,
  record: CommandRecord,
  { settledBy, source }: Resolver,
  now: Instant,
): ReservationState {
  const { action, commandId, body, carId } = record;
  if (body === null) return state;
  const { staffName, staffPhone, photo, parkingMemo, parkingLotType } = body;
  const staff = staffName === undefined ? null : { staffName, staffPhone: staffPhone ?? '' };
  const done: StepDone = {
    action,
    grade: gradeByResolver[settledBy],
    source,
    at: now,
    staff,
    photo: photo ?? null,
    carId,
  };
  const others = state.steps.filter((step) => step.action !== action);
  const steps = staff === null && photo === undefined ? state.steps : [...others, done];
  const rung = targetOf(action) ?? earliestStatus(action);
  const made = {
    grade: 'commanded' as const,
    source: commandId,
    at: now,
    changedAt: null,
    arrival: state.arrivals,
  };
  const facts = { ...state.facts };
  if (parkingMemo !== undefined) {
    facts.parkingMemo = claim(facts.parkingMemo, rung, { ...made, value: parkingMemo });
  }
  if (parkingLotType !== undefined) {
    facts.parkingLotType = claim<number>(facts.parkingLotType, rung, { ...made, value: parkingLotType });
  }
  return { ...state, steps, facts };
}

/**
 * Callbacks settle what an answer left open: an unknown command whose target, or for the parking photo a new
 * image URL, was reported (L24), and one refused for its state because of an action on the web site (L29).
 */
export function resolveByEvidence(state: ReservationState, now: Instant): Step {
  const newestFirst = state.commands.toReversed();
  // what may have happened explains what was refused after it
  const byClaim = (['unknown', 'rejected'] as const).flatMap((outcome) =>
    newestFirst.filter((one) => one.state === outcome),
  );
  return byClaim.reduce<Step>(
    (step, { commandId }) => follow(step, (s) => resolveOne(s, commandId, now)),
    stepTo(state),
  );
}

function resolveOne(state: ReservationState, commandId: string, now: Instant): Step {
  const record = findCommand(state, commandId);
  if (record === undefined || !isShown(state, record)) return stepTo(state);
  const { action } = record;
  const next = applyCommand(
    state,
    record,
    { settledBy: 'callback', source: commandId, code: record.code },
    now,
  );
  const entry: NewEntry = {
    kind: 'command',
    rule: record.state === 'unknown' ? 'L24' : 'L29',
    messages: [message('command.shown', { action })],
    data: { commandId, action, outcome: 'applied' },
  };
  const after = forgetUrl(next, record);
  return addEntry(stepTo(after), now, movedEntry(entry, state, belief(state), belief(after), now));
}

/** Of a command of unknown outcome, or a rejected one. */
function isShown(state: ReservationState, record: CommandRecord): boolean {
  const { action, state: outcome, refusedForState, urlBefore } = record;
  const target = targetOf(action);
  if (outcome === 'rejected') {
    return (
      refusedForState && target !== null && !isExplained(state, record) && shownByCallbacks(state, target)
    );
  }
  if (target !== null) return shownByCallbacks(state, target);
  if (staffActions[action].shownBy !== 'imageUrl' || urlBefore === urlUnclear) return false;
  return imageUrlKey(state) !== null && imageUrlKey(state) !== urlBefore;
}

/** L29: another command of ours was applied, however it was resolved: no action on the web site is implied. */
function isExplained({ commands }: ReservationState, { action, commandId }: CommandRecord): boolean {
  return commands.some(
    (one) => one.action === action && one.commandId !== commandId && one.state === 'applied',
  );
}

/** One new image URL proves one photo: older commands of unknown outcome stay unknown. */
function forgetUrl(state: ReservationState, { action }: CommandRecord): ReservationState {
  if (staffActions[action].shownBy !== 'imageUrl') return state;
  const commands = state.commands.map((one) =>
    one.action === action && one.state === 'unknown' ? { ...one, urlBefore: urlUnclear } : one,
  );
  return { ...state, commands };
}

/** The photo's own URL cannot be distinguished from another photo's that is still due. */
const urlUnclear = 'unclear';

function imageUrlKey(state: ReservationState): string | null {
  const url = current(state.facts.parkingImageUrl)?.value;
  return url === undefined ? null : fingerprint(url);
}

/** What to compare with when the answer to a parking photo gets lost (L24). */
export function urlBeforeSending(state: ReservationState): string | null {
  const now = imageUrlKey(state);
  const isDue = (one: CommandRecord) =>
    staffActions[one.action].shownBy === 'imageUrl' && one.state === 'applied' && one.urlBefore === now;
  return state.commands.some(isDue) ? urlUnclear : now;
}

export interface Resolution {
  commandId: string;
  outcome: 'applied' | 'rejected';
  reason: string;
  by: string;
}

/** Why a person cannot resolve this command; null where they can (L24: only an unknown outcome). */
export function checkResolve(
  state: ReservationState,
  { commandId }: Pick<Resolution, 'commandId'>,
): Refusal | null {
  const record = findCommand(state, commandId);
  if (record === undefined) return commandNotFound();
  return record.state === 'unknown' ? null : notUnknown(record.state);
}

/** A manager resolves an unknown outcome; the reason is stored with the command, not in the timeline (L60). */
export function resolveByPerson(
  state: ReservationState,
  { commandId, outcome, reason, by }: Resolution,
  now: Instant,
): Step {
  const record = findCommand(state, commandId);
  if (record?.state !== 'unknown') return stepTo(state);
  const resolved = { settledBy: 'person' as const, code: record.code, message: reason };
  const after =
    outcome === 'applied'
      ? applyCommand(state, record, { ...resolved, source: by }, now)
      : putCommand(state, close(record, { ...resolved, resolvedBy: by, state: outcome }, now));
  const entry: NewEntry = {
    kind: 'decision',
    rule: 'L24',
    messages: [message('command.resolved', { action: record.action, by, outcome })],
    data: { commandId, action: record.action, outcome, by },
  };
  return addEntry(stepTo(after), now, movedEntry(entry, state, belief(state), belief(after), now));
}
