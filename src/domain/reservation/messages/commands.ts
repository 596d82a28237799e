import { waitsFor } from '../../shared/outcome.js';
import { stamp } from '../../shared/time.js';
import { type Action, targetOf } from '../actions.js';
import type { CommandRecord } from '../state.js';
import type { Answer, CommandState } from '../types.js';
import { actionName, actionTitle } from './names.js';

export function pressed(action: Action, by: string, overridden: boolean, skipped: readonly Action[]): string {
  const without = skipped.map((step) => actionName(step)).join(', ');
  const override = overridden ? ', with an override' : '';
  return `${by} asked to ${actionName(action)}${override}${without === '' ? '' : ` that leaves out: ${without}`}.`;
}

/** What an attempt came to, and what follows from it. `after` is the command as it stands then. */
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
  const earlier = doubtful ? '; an earlier attempt may have happened' : '';
  switch (answer.outcome) {
    case 'applied':
      return `applied${answer.unparsed ? ', though the answer cannot be read' : ''}${why}`;
    case 'rejected':
      return state === 'rejected'
        ? `rejected by the platform${why}`
        : `refused${why} after an attempt that may have happened; it is not sent again`;
    case 'held-back':
      if (waitsFor(answer.code) !== 'key') return `the platform could not take it${why}${earlier}`;
      if (role === null) return `forbidden to a key that works${why}${earlier}`;
      return `the key of its role does not work${why}; it goes on when the key does${earlier}`;
    case 'unknown': {
      const once = targetOf(action) === null;
      const end = once ? '; it is sent once per press' : '; no time is left to send it again';
      return `attempt ${attempts} ended unknown${why}: it may or may not have happened${nextTryAt === null ? end : ''}`;
    }
  }
}

/** A command that ends without having been sent, or sent again. */
export function givenUp(action: Action, outcome: 'rejected' | 'unknown', message: string): string {
  const end = outcome === 'unknown' ? 'not sent again, and it may have happened' : 'not sent';
  return `${actionTitle(action)}: ${end}: ${message}`;
}
export function settledByCallback(action: Action): string {
  return `${actionTitle(action)}: applied, as a callback shows.`;
}
export function settledByPerson(action: Action, by: string, state: CommandState): string {
  return `${by} settled "${actionName(action)}" as ${state}.`;
}
export function roleRestored(action: Action): string {
  return `${actionTitle(action)}: the key of its role works again; it is sent now.`;
}
export const forbidden =
  'The platform forbids this action to a key that works: it is about this reservation.';
export const noMoreTries = 'The time for further attempts is over.';
