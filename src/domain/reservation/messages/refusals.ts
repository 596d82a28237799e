import { keyReused } from '../../shared/idempotency.js';
import type { Action, AttentionKind, CommandState, Refusal } from '../types.js';
import { actionName, named } from './names.js';

export function commandIdReused(): Refusal {
  return { ...keyReused(), overridable: false };
}
export function photoMissing(action: Action): Refusal {
  const message = `The photo is missing: attach one to ${actionName(action)}.`;
  return { code: 'PHOTO_MISSING', message, overridable: false };
}
export function roleOff(action: Action): Refusal {
  const message = `No supplier key is set, so this deployment cannot ${actionName(action)}. An operator sets PLATFORM_SUPPLIER_API_KEY.`;
  return { code: 'ROLE_OFF', message, overridable: false };
}
export function terminal(action: Action, status: number): Refusal {
  const message = `The reservation has ended at ${named(status)}: it is too late to ${actionName(action)}.`;
  return { code: 'RESERVATION_TERMINAL', message, overridable: false };
}
export function past(action: Action, status: number): Refusal {
  const message = `Too late to ${actionName(action)}: the reservation is already at ${named(status)}. Read the reservation for its present status.`;
  return { code: 'ACTION_NOT_ALLOWED', message, overridable: false };
}
export function behind(action: Action, status: number | null, allowed: readonly number[]): Refusal {
  const here = status === null ? 'no status is known yet' : `it is believed at ${named(status)}`;
  const needs = allowed.map(named).join(' or ');
  const message = `The status is too early: ${here}, and to ${actionName(action)} it must be at ${needs}. A callback may be lost: an override with a reason lets the platform decide.`;
  return { code: 'STATUS_BEHIND', message, overridable: true };
}
export function outOfOrder(action: Action, missing: Action[]): Refusal {
  const first = missing.map((step) => actionName(step)).join(', ');
  const message = `A recommended step is missing before you ${actionName(action)}: ${first}. Do it first, or override with a reason.`;
  return { code: 'OUT_OF_ORDER', message, overridable: true };
}
export function commandNotFound(): Refusal {
  const message = 'The command id is unknown for this reservation. Read the reservation for its commands.';
  return { code: 'COMMAND_NOT_FOUND', message, overridable: false };
}
export function notUnknown(outcome: CommandState): Refusal {
  const isOver = outcome === 'applied' || outcome === 'rejected';
  const message = isOver
    ? `The outcome is already known: ${outcome}. Nothing is left to resolve.`
    : `The command is still open (${outcome}). Wait for its outcome; only an unknown outcome can be resolved.`;
  return { code: 'COMMAND_SETTLED', message, overridable: false };
}
export function periodIncomplete(): Refusal {
  const message = 'The period is not known yet. Give both its start and its end.';
  return { code: 'PERIOD_INCOMPLETE', message, overridable: false };
}
export function periodReversed(): Refusal {
  const message = 'The period ends before it starts. Give an end that is later than the start.';
  return { code: 'PERIOD_REVERSED', message, overridable: false };
}
export function nothingAsserted(): Refusal {
  const message =
    'The assertion has no value. Give at least one of status (a known code), car, start or end.';
  return { code: 'NOTHING_ASSERTED', message, overridable: false };
}
export function attentionNotFound(kind: AttentionKind): Refusal {
  const message = `The attention item "${kind}" is not open. Read the reservation for its open items.`;
  return { code: 'ATTENTION_NOT_FOUND', message, overridable: false };
}
export function tooManyRows(): Refusal {
  const message =
    'The database does not accept the timeline of this reservation. Send the action again when the database answers.';
  return { code: 'TIMELINE_WAITS', message, overridable: false };
}
export function tooManyOpen(): Refusal {
  const message =
    'Too many actions on this reservation are still open. Wait for their outcomes, or resolve the unknown ones, before you send another.';
  return { code: 'TOO_MANY_OPEN_COMMANDS', message, overridable: false };
}
