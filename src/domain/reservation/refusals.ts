import { keyReused } from '../shared/idempotency.js';
import type { Sentence } from '../shared/message.js';
import { message } from './messages/message.js';
import type { Action, AttentionKind, CommandState, Refusal } from './types.js';

function refusal(code: Refusal['code'], why: Sentence): Refusal {
  return { code, message: why, overridable: false };
}

export function commandIdReused(): Refusal {
  return { ...keyReused(), overridable: false };
}

export function photoMissing(action: Action): Refusal {
  return refusal('PHOTO_MISSING', message('refused.photo-missing', { action }));
}
export function roleOff(action: Action): Refusal {
  return refusal('ROLE_OFF', message('refused.role-off', { action }));
}
export function terminal(action: Action, status: number): Refusal {
  return refusal('RESERVATION_TERMINAL', message('refused.terminal', { action, status }));
}
export function past(action: Action, status: number): Refusal {
  return refusal('ACTION_NOT_ALLOWED', message('refused.past', { action, status }));
}
export function behind(action: Action, status: number | null, allowed: readonly number[]): Refusal {
  const why = message('refused.behind', { action, status, allowed });
  return { ...refusal('STATUS_BEHIND', why), overridable: true };
}
export function outOfOrder(action: Action, missing: readonly Action[]): Refusal {
  const why = message('refused.out-of-order', { action, missing });
  return { ...refusal('OUT_OF_ORDER', why), overridable: true };
}
export function commandNotFound(): Refusal {
  return refusal('COMMAND_NOT_FOUND', message('refused.command-not-found', {}));
}
export function notUnknown(outcome: CommandState): Refusal {
  return refusal('COMMAND_SETTLED', message('refused.command-settled', { outcome }));
}
export function periodIncomplete(): Refusal {
  return refusal('PERIOD_INCOMPLETE', message('refused.period-incomplete', {}));
}
export function periodReversed(): Refusal {
  return refusal('PERIOD_REVERSED', message('refused.period-reversed', {}));
}
export function nothingAsserted(): Refusal {
  return refusal('NOTHING_ASSERTED', message('refused.nothing-asserted', {}));
}
export function attentionNotFound(kind: AttentionKind): Refusal {
  return refusal('ATTENTION_NOT_FOUND', message('refused.attention-not-found', { kind }));
}
export function tooManyRows(): Refusal {
  return refusal('TIMELINE_WAITS', message('refused.timeline-waits', {}));
}
export function tooManyOpen(): Refusal {
  return refusal('TOO_MANY_OPEN_COMMANDS', message('refused.too-many-open', {}));
}
/** An update came to a run that has received no event. */
export function noEvents(): Refusal {
  return refusal('RESERVATION_NOT_FOUND', message('refused.no-events', {}));
}
export function isClosed(): Refusal {
  return refusal('RESERVATION_TERMINAL', message('refused.closed', {}));
}
