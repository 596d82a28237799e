import { waitsFor } from '../../shared/outcome.js';
import { stamp } from '../../shared/time.js';
import { type Action, targetOf } from '../actions.js';
import type { CommandRecord } from '../state.js';
import type { Answer, CommandState } from '../types.js';
import { actionName, actionTitle } from './names.js';

export function accepted(
  action: Action,
  by: string,
  overridden: boolean,
  skipped: readonly Action[],
): string {
  const without = skipped.map((step) => actionName(step)).join(', ');
  const override = overridden ? ', with an override' : '';
  return `${by} requested "${actionName(action)}"${override}${without === '' ? '' : ` that leaves out: ${without}`}.`;
}

/** The outcome of an attempt, and what follows from it. `after` is the command after it. */
export function attempted(answer: Answer, after: CommandRecord, zoneOffsetMinutes: number): string {
  const { action, code, nextTryAt } = after;
  const again = nextTryAt === null ? '' : `; next try at ${stamp(nextTryAt, zoneOffsetMinutes)}`;
  return `${actionTitle(action)}: ${meaning(answer, after, code === null ? '' : ` (${code})`)}${again}.`;
}

function meaning(
  answer: Answer,
  { action, state, attempts, role, doubtful, nextTryAt }: CommandRecord,
  why: string,
): string {
  const earlier = doubtful ? '; an earlier attempt may have reached the platform' : '';
  switch (answer.outcome) {
    case 'applied':
      return `applied${answer.unparsed ? ', although the answer cannot be read' : ''}${why}`;
    case 'rejected':
      return state === 'rejected'
        ? `rejected by the platform${why}`
        : `refused${why} after an attempt that may have reached the platform; it is not sent again`;
    case 'held-back':
      if (waitsFor(answer.code) === 'handover') return `Handover did not send it${why}${earlier}`;
      if (waitsFor(answer.code) !== 'key') return `the platform did not accept it${why}${earlier}`;
      if (role === null) return `forbidden, although the key works${why}${earlier}`;
      return `the key of its role does not work${why}; it continues when the key works${earlier}`;
    case 'unknown': {
      const once = targetOf(action) === null;
      const end = once ? '; it is sent once per request' : '; no time is left to send it again';
      return `the outcome of attempt ${attempts} is unknown${why}: it may have reached the platform${nextTryAt === null ? end : ''}`;
    }
  }
}

/** A command that ends without having been sent, or sent again. */
export function givenUp(action: Action, outcome: 'rejected' | 'unknown', message: string): string {
  const end = outcome === 'unknown' ? 'not sent again, and it may have reached the platform' : 'not sent';
  return `${actionTitle(action)}: ${end}: ${message}`;
}
export function resolvedByCallback(action: Action): string {
  return `${actionTitle(action)}: applied, as a callback shows.`;
}
export function resolvedByPerson(action: Action, by: string, state: CommandState): string {
  return `${by} resolved "${actionName(action)}" as ${state}.`;
}
export function roleRestored(action: Action): string {
  return `${actionTitle(action)}: the key of its role works again; it is sent now.`;
}
export const forbidden = 'The platform forbids this action on this reservation, although the key works.';
export const noMoreTries = 'The time for further attempts is over.';
