import type { Behaviour } from '../../platform/profile.js';
import { Refusal } from './refusal.js';

/** The status codes of the specification, States section. */
const statusNames = {
  5: 'reservation complete',
  10: 'dispatch departed',
  15: 'dispatch complete',
  20: 'in use',
  25: 'return delayed',
  30: 'return complete',
  35: 'recall complete',
  40: 'cancelled',
  45: 'no-show cancelled',
  50: 'failed',
} as const;
export type Status = keyof typeof statusNames;

const terminal: readonly number[] = [35, 40, 45, 50];
export const isTerminal = (status: number): boolean => terminal.includes(status);

/** The status that each status-changing operation or customer's move leads to (States table). */
export const targets = {
  dispatchStart: 10,
  dispatchComplete: 15,
  recallComplete: 35,
  startUse: 20,
  return: 30,
  cancel: 40,
} as const satisfies Record<string, Status>;
export type Move = keyof typeof targets;

/**
 * Where the steps that change no status are taken. The specification gives no from-states for them; a step belongs
 * to the leg under way, and recall staff may be named as soon as the car is with the customer.
 */
const stepStates = {
  dispatchStaff: [5, 10],
  dispatchParkingImage: [10],
  dispatchCarImage: [10],
  recallStaff: [15, 20, 25, 30],
  recallCarImage: [30],
} as const satisfies Record<string, readonly Status[]>;
export type Step = keyof typeof stepStates;

/** @throws `Refusal` ILLEGAL_STATE where the table (States; G38) has no arrow `from` → `to`. */
export function assertMove(behaviour: Behaviour, from: number, to: Exclude<Status, 5>): void {
  if (!behaviour.fromStates[to].includes(from)) throw illegalStateRefusal(from, behaviour.fromStates[to]);
}

/** @throws `Refusal` ILLEGAL_STATE where this status does not allow the step. */
export function assertStep(from: number, step: Step): void {
  const allowed: readonly number[] = stepStates[step];
  if (!allowed.includes(from)) throw illegalStateRefusal(from, allowed);
}

/** @throws `Refusal` ILLEGAL_STATE unless `status` is one of `allowed`. */
export function assertStatus(status: number, allowed: readonly number[]): void {
  if (!allowed.includes(status)) throw illegalStateRefusal(status, allowed);
}

function illegalStateRefusal(status: number, allowed: readonly number[]): Refusal {
  const name = statusNames[status as Status] ?? 'unknown';
  return new Refusal(
    'ILLEGAL_STATE',
    `the reservation is at ${status} (${name}); this is possible at ${allowed.join(', ')} only`,
  );
}
