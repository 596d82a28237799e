import type { Locale, Sentence } from '../../../shared/message.js';
import type { Instant } from '../../../shared/time.js';
import type { Action, CommandState, NoteOutcome } from '../../types.js';
import { actionName, actionTitle } from './names.js';

/** How one attempt of a command ended. */
export type AttemptEnd =
  | 'applied'
  | 'unreadable'
  | 'rejected'
  /** Refused after an attempt that may have reached the platform. */
  | 'refused-late'
  | 'not-sent'
  | 'not-accepted'
  | 'forbidden'
  | 'no-key'
  /** The outcome is unknown: it is sent again, or not, because it is sent once per request or no time is left. */
  | 'unknown'
  | 'unknown-once'
  | 'unknown-too-late';

export interface Attempted {
  action: Action;
  end: AttemptEnd;
  code: string | null;
  /** An earlier attempt may have reached the platform. */
  doubtful: boolean;
  attempt: number;
  nextTryAt: Instant | null;
}

/** Staff actions, and the notes of recalls. */
export const commands = {
  'command.requested': ({
    action,
    by,
    overridden,
    skipped,
  }: {
    action: Action;
    by: string;
    overridden: boolean;
    skipped: readonly Action[];
  }) => {
    const without = skipped.map((step) => actionName(step)).join(', ');
    const override = overridden ? ', with an override' : '';
    return `${by} requested "${actionName(action)}"${override}${without === '' ? '' : ` that leaves out: ${without}`}.`;
  },
  'command.attempted': (attempted: Attempted, { time }: Locale) => {
    const { action, nextTryAt } = attempted;
    const again = nextTryAt === null ? '' : `; next try at ${time(nextTryAt)}`;
    return `${actionTitle(action)}: ${meaning(attempted)}${again}.`;
  },
  /** It ends without having been sent, or sent again. */
  'command.given-up': (
    { action, outcome, why }: { action: Action; outcome: 'rejected' | 'unknown'; why: Sentence },
    { sentence }: Locale,
  ) => {
    const end = outcome === 'unknown' ? 'not sent again, and it may have reached the platform' : 'not sent';
    return `${actionTitle(action)}: ${end}: ${sentence(why)}`;
  },
  'command.shown': ({ action }: { action: Action }) =>
    `${actionTitle(action)}: applied, as a callback shows.`,
  'command.resolved': ({ action, by, outcome }: { action: Action; by: string; outcome: CommandState }) =>
    `${by} resolved "${actionName(action)}" as ${outcome}.`,
  'command.key-works': ({ action }: { action: Action }) =>
    `${actionTitle(action)}: the key of its role works again; it is sent now.`,
  'command.time-over': () => 'The time for further attempts is over.',
  /** F58, F59: never its text (L60). */
  note: ({
    carId,
    outcome,
    memoId,
    code,
  }: {
    carId: number | null;
    outcome: NoteOutcome;
    memoId: number | null;
    code: string | null;
  }) => {
    switch (outcome) {
      case 'pending':
        return `The recall's note waits (${code}); it is retried.`;
      case 'applied':
        return `The recall's note is memo ${memoId} of car ${carId}.`;
      case 'rejected':
        return `The recall's note did not become a memo of car ${carId} (${code}).`;
      case 'unknown':
        return `Whether the recall's note is a memo of car ${carId} is unknown (${code}).`;
    }
  },
} as const;

function meaning({ end, code, doubtful, attempt }: Attempted): string {
  const why = code === null ? '' : ` (${code})`;
  const earlier = doubtful ? '; an earlier attempt may have reached the platform' : '';
  switch (end) {
    case 'applied':
      return `applied${why}`;
    case 'unreadable':
      return `applied, although the answer cannot be read${why}`;
    case 'rejected':
      return `rejected by the platform${why}`;
    case 'refused-late':
      return `refused${why} after an attempt that may have reached the platform; it is not sent again`;
    case 'not-sent':
      return `Handover did not send it${why}${earlier}`;
    case 'not-accepted':
      return `the platform did not accept it${why}${earlier}`;
    case 'forbidden':
      return `forbidden, although the key works${why}${earlier}`;
    case 'no-key':
      return `the key of its role does not work${why}; it continues when the key works${earlier}`;
    default:
      return `the outcome of attempt ${attempt} is unknown${why}: it may have reached the platform${whyNotAgain[end]}`;
  }
}
const whyNotAgain = {
  unknown: '',
  'unknown-once': '; it is sent once per request',
  'unknown-too-late': '; no time is left to send it again',
} as const;
