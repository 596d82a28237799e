import { type KeyMark, markOf, standingOf } from '../shared/idempotency.js';
import {
  type Action,
  actions,
  earliestStatus,
  isAllowedAt,
  staffActions,
  stepsBefore,
  targetOf,
} from './actions.js';
import { type Belief, belief } from './belief.js';
import { bytesOf } from './bounds.js';
import * as refusals from './refusals.js';
import type { CommandRecord, ReservationState, StepDone } from './state.js';
import { isTerminal, rank } from './statuses.js';
import type { Command, Progress, Refusal } from './types.js';

/** Carried state is bounded: an open command is never dropped, so no more than these are accepted. */
const mostOpenCommands = 64;
/** Total bytes of their bodies and reasons. */
const mostOpenBodyBytes = 8_000;

function isFull(state: ReservationState): boolean {
  const open = state.commands.filter((one) => !isFinal(one));
  const bytes = open.reduce((sum, { body, override }) => sum + bytesOf([body, override]), 0);
  return open.length >= mostOpenCommands || bytes >= mostOpenBodyBytes;
}

/** What the keys of the newest commands stand for, for the case file (L21). */
export function commandMarks({ commands }: ReservationState): KeyMark[] {
  return commands.map(({ commandId, content }) => ({ key: commandKey(commandId), mark: content }));
}

/** A key of a case file: settlements have theirs without a prefix. */
export function commandKey(commandId: string): string {
  return `command.${commandId}`;
}

/** Nothing will be sent again, and no operator has to resolve it. */
export function isFinal({ state }: Pick<CommandRecord, 'state'>): boolean {
  return state === 'applied' || state === 'rejected';
}

export function findCommand(state: ReservationState, commandId: string): CommandRecord | undefined {
  return state.commands.find((one) => one.commandId === commandId);
}

/**
 * Whether a staff action is refused at once (L20, L21, L27). A repeat of a known command, same id and same
 * body, is never refused: it is answered with the first result.
 *
 * @returns null where the action may be accepted.
 */
export function decide(state: ReservationState, command: Command): Refusal | null {
  const known = findCommand(state, command.commandId);
  const standing = standingOf(known && { mark: known.content }, markOf(command.action, command.body));
  if (standing !== 'new') return standing === 'same' ? null : refusals.commandIdReused();
  if (staffActions[command.action].hasPhoto && command.body.photo === undefined) {
    return refusals.photoMissing(command.action);
  }
  const what = belief(state);
  return refusalOf(what.status.code, progressOf(state, what), command);
}

/** What decides about all actions, beside the status and the open commands. */
export function progressOf(state: ReservationState, what: Belief): Progress {
  return {
    isSupplier: isSupplier(state),
    isFull: isFull(state),
    missing: actions.filter((step) => isMissing(state, what, step)),
  };
}

/** What an action is refused for at a status, whatever its body (L20, L27); null: nothing. */
export function refusalOf(
  code: number | null,
  { isSupplier, isFull, missing }: Progress,
  command: Pick<Command, 'action' | 'override'>,
): Refusal | null {
  const refusal = notAllowed(code, isSupplier, command) ?? outOfOrder(missing, command);
  return refusal ?? (isFull ? refusals.tooManyOpen() : null);
}

/** L20: the role and the status allow it. `override` sends it where the believed status is behind. */
export function notAllowed(
  code: number | null,
  isSupplier: boolean,
  { action, override }: Pick<CommandRecord, 'action'> & { override?: Command['override'] | null },
): Refusal | null {
  if (!isSupplier) return refusals.roleOff(action);
  if (code !== null && isTerminal(code)) return refusals.terminal(action, code);
  if (code === null || rank(code) < rank(earliestStatus(action)))
    return override ? null : refusals.behind(action, code, staffActions[action].allowedAt);
  return isAllowedAt(action, code) ? null : refusals.past(action, code);
}

/** Only a supplier may act (specification, Reservation operations). */
export function isSupplier({ policy }: ReservationState): boolean {
  return policy.roles.includes('supplier');
}

function outOfOrder(
  missing: readonly Action[],
  { action, override }: Pick<Command, 'action' | 'override'>,
): Refusal | null {
  const before = stepsBefore(action).filter((step) => missing.includes(step));
  return before.length === 0 || override ? null : refusals.outOfOrder(action, before);
}

/** L27: the recommended steps before an action that were neither done nor left out by an override before. */
export function missingSteps(state: ReservationState, what: Belief, action: Action): Action[] {
  return stepsBefore(action).filter((step) => isMissing(state, what, step));
}

/** L27: a step that was neither done nor left out by an override. */
function isMissing(state: ReservationState, what: Belief, step: Action): boolean {
  const isWaived = state.commands.some((one) => one.state === 'applied' && one.skipped.includes(step));
  return !isWaived && !isDone(state, what, step);
}

function isDone(state: ReservationState, { status, facts }: Belief, action: Action): boolean {
  const target = targetOf(action);
  if (target !== null) return `${target}` in status.reached;
  const done = state.steps.find((step) => step.action === action);
  return done !== undefined && !isOutdated(done, facts.car?.value.id ?? null);
}

/** L14: a photo of a car that has been replaced since. */
export function isOutdated(step: StepDone, carId: number | null): boolean {
  return step.photo !== null && step.carId !== null && carId !== null && step.carId !== carId;
}
