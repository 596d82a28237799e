import type { Action, AttentionKind, CommandState, Refusal } from '../types.js';
import { actionName, named } from './names.js';

export function commandIdReused(): Refusal {
  const message = 'This command id was used for another action or body. Use a new one for a new action.';
  return { code: 'COMMAND_ID_REUSED', message, overridable: false };
}
export function photoMissing(action: Action): Refusal {
  return { code: 'PHOTO_MISSING', message: `To ${actionName(action)}, attach a photo.`, overridable: false };
}
export function roleOff(action: Action): Refusal {
  const message = `Only a rental company may ${actionName(action)}; this deployment has no supplier key.`;
  return { code: 'ROLE_OFF', message, overridable: false };
}
export function terminal(action: Action, status: number): Refusal {
  const message = `The reservation has ended at ${named(status)}; nobody can ${actionName(action)} any more.`;
  return { code: 'RESERVATION_TERMINAL', message, overridable: false };
}
export function past(action: Action, status: number): Refusal {
  const message = `Too late to ${actionName(action)}: the reservation is already at ${named(status)}.`;
  return { code: 'ACTION_NOT_ALLOWED', message, overridable: false };
}
export function behind(action: Action, status: number | null, allowed: readonly number[]): Refusal {
  const here = status === null ? 'No status is known yet' : `The reservation is believed at ${named(status)}`;
  const needs = allowed.map(named).join(' or ');
  const message = `${here}, and to ${actionName(action)} it must be at ${needs}. A callback may have been lost: an override with a reason lets the platform decide.`;
  return { code: 'STATUS_BEHIND', message, overridable: true };
}
export function outOfOrder(action: Action, missing: Action[]): Refusal {
  const first = missing.map((step) => actionName(step)).join(', ');
  const message = `Before you ${actionName(action)}, the recommended order asks to ${first}. An override with a reason leaves that out.`;
  return { code: 'OUT_OF_ORDER', message, overridable: true };
}
export function commandNotFound(): Refusal {
  const message = 'No command with this id is known for this reservation.';
  return { code: 'COMMAND_NOT_FOUND', message, overridable: false };
}
export function commandSettled(outcome: CommandState): Refusal {
  const message = `Only an unknown outcome can be settled by a person; this command is ${outcome}.`;
  return { code: 'COMMAND_SETTLED', message, overridable: false };
}
export function periodIncomplete(): Refusal {
  const message = 'The period is not known yet: give both its start and its end.';
  return { code: 'PERIOD_INCOMPLETE', message, overridable: false };
}
export function periodReversed(): Refusal {
  const message = 'The period would end before it starts: give an end that is later than the start.';
  return { code: 'PERIOD_REVERSED', message, overridable: false };
}
export function nothingAsserted(): Refusal {
  const message = 'Give at least one of status (a known code), car, start or end.';
  return { code: 'NOTHING_ASSERTED', message, overridable: false };
}
export function attentionNotFound(kind: AttentionKind): Refusal {
  const message = `No open attention item "${kind}" on this reservation.`;
  return { code: 'ATTENTION_NOT_FOUND', message, overridable: false };
}
export function tooManyRows(): Refusal {
  const message =
    'The database has not accepted the timeline of this reservation for a long time. Send the action again when the database answers.';
  return { code: 'TIMELINE_WAITS', message, overridable: false };
}
export function tooManyOpen(): Refusal {
  const message =
    'Too many actions on this reservation are still open. Wait for their outcomes, or settle the unknown ones, before you press another.';
  return { code: 'TOO_MANY_OPEN_COMMANDS', message, overridable: false };
}
