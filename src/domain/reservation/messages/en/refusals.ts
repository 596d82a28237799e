import type { Action, AttentionKind, CommandState } from '../../types.js';
import { actionName } from './names.js';

/** Refusals at once: nothing of them is stored, and no workflow renders them. */
export const refusals = {
  'refused.key-reused': () =>
    'The Idempotency-Key was already used for another request. Send a new key for a new request.',
  'refused.photo-missing': ({ action }: { action: Action }) =>
    `The photo is missing: attach one to ${actionName(action)}.`,
  'refused.out-of-order': ({ action, missing }: { action: Action; missing: readonly Action[] }) =>
    `A recommended step is missing before you ${actionName(action)}: ${missing.map((step) => actionName(step)).join(', ')}. Do it first, or override with a reason.`,
  'refused.command-not-found': () =>
    'The command id is unknown for this reservation. Read the reservation for its commands.',
  'refused.command-settled': ({ outcome }: { outcome: CommandState }) =>
    outcome === 'applied' || outcome === 'rejected'
      ? `The outcome is already known: ${outcome}. Nothing is left to resolve.`
      : `The command is still open (${outcome}). Wait for its outcome; only an unknown outcome can be resolved.`,
  'refused.period-incomplete': () => 'The period is not known yet. Give both its start and its end.',
  'refused.period-reversed': () =>
    'The period ends before it starts. Give an end that is later than the start.',
  'refused.nothing-asserted': () =>
    'The assertion has no value. Give at least one of status (a known code), car, start or end.',
  'refused.attention-not-found': ({ kind }: { kind: AttentionKind }) =>
    `The attention item "${kind}" is not open. Read the reservation for its open items.`,
  'refused.timeline-waits': () =>
    'The database does not accept the timeline of this reservation. Send the action again when the database answers.',
  'refused.too-many-open': () =>
    'Too many actions on this reservation are still open. Wait for their outcomes, or resolve the unknown ones, before you send another.',
  'refused.no-events': () => 'No event of the reservation has come in yet.',
  'refused.closed': () => 'The reservation is closed; nothing can be done about it any more.',
} as const;

/** What became of a command, where no entry of the timeline has the same sentence. */
export const outcomes = {
  'command.forbidden': () => 'The platform forbids this action on this reservation, although the key works.',
  /** Of the platform, or why a request was not sent: the text that the platform's client made of the code. */
  'platform.refused': ({ text }: { code: string | null; text: string }) => text,
} as const;
