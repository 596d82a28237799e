import type { ActionAnswer, Answer } from '../domain/reservation/index.js';
import {
  type Applied,
  type HeldBack,
  type Outcome,
  type Unknown,
  waitsFor,
  wrongStatusCode,
} from '../domain/shared/outcome.js';
import type { BookingEnd } from './booking.js';

// Results of the activities that send one request, in the form in which histories store them. An `Outcome` becomes one where an
// activity returns it, and is read from it where a workflow receives it, and nowhere else.

type NotDone =
  /** Held back for the platform, or by Handover itself. */
  | { kind: 'wait'; code: string; retryAfterMs?: number; keepsId?: boolean }
  /** Held back for the role's key. */
  | { kind: 'suspended'; code: string; keepsId?: boolean }
  | { kind: 'unknown'; code: string; message?: string };
interface Refused {
  kind: 'refused';
  code: string;
  message: string;
  platformMessage?: string;
}

export type Attempt<T> = { kind: 'done'; value: T } | Refused | NotDone;

/** Of a staff action. `forState`: the reservation's status does not allow it. */
export type ActionAttempt =
  | ({ kind: 'accepted' } & ActionAnswer)
  | (Refused & { forState: boolean })
  | NotDone;

/** Of a booking. `isRecorded`: its outcome is in its row, and its reservation is notified. */
export type BookingAttempt =
  | (BookingEnd & { isRecorded?: true })
  | Unknown
  | { outcome: 'wait'; code: string; retryAfterMs?: number; keepsId?: boolean };

/** How a booking that was sent ended. */
export type SentBooking = Exclude<BookingAttempt, { outcome: 'wait' }>;

type NotApplied = Exclude<Outcome, Applied<object>>;

/** The result that an activity stores of an outcome. */
export function attemptOf<T>(outcome: Outcome<{ value: T }>): Attempt<T> {
  return outcome.outcome === 'applied' ? { kind: 'done', value: outcome.value } : notDone(outcome);
}

/** The same of a staff action. */
export function actionAttemptOf(outcome: Answer): ActionAttempt {
  if (outcome.outcome === 'applied') {
    const { outcome: _, ...answer } = outcome;
    return { kind: 'accepted', ...answer };
  }
  const attempt = notDone(outcome);
  if (attempt.kind === 'refused') return { ...attempt, forState: attempt.code === wrongStatusCode };
  return attempt.kind === 'unknown' ? { kind: 'unknown', code: attempt.code } : attempt;
}

/** The same of a booking that was not made; it does not wait for a key. @param keyText what a person reads then */
export function bookingAttemptOf(outcome: NotApplied, keyText: string): BookingAttempt {
  if (outcome.outcome !== 'held-back') return outcome;
  if (waitsFor(outcome.code) === 'key') return { outcome: 'rejected', code: outcome.code, message: keyText };
  return { ...outcome, outcome: 'wait' };
}

function notDone(outcome: NotApplied): Refused | NotDone {
  if (outcome.outcome === 'held-back' && waitsFor(outcome.code) === 'key') {
    return { kind: 'suspended', code: outcome.code, ...(outcome.keepsId && { keepsId: true }) };
  }
  switch (outcome.outcome) {
    case 'rejected': {
      const { outcome: _, ...why } = outcome;
      return { kind: 'refused', ...why };
    }
    case 'unknown': {
      const { outcome: _, ...why } = outcome;
      return { kind: 'unknown', ...why };
    }
    case 'held-back': {
      const { outcome: _, ...why } = outcome;
      return { kind: 'wait', ...why };
    }
  }
}

/** What the result of an activity means. */
export function outcomeOf<T>(attempt: Attempt<T>): Outcome<{ value: T }> {
  return attempt?.kind === 'done' ? { outcome: 'applied', value: attempt.value } : notApplied(attempt);
}

/** The same of a staff action. */
export function outcomeOfAction(attempt: ActionAttempt): Answer {
  if (attempt?.kind !== 'accepted') return notApplied(attempt);
  const { kind: _, ...answer } = attempt;
  return { outcome: 'applied', ...answer };
}

/** The same of a booking. */
export function outcomeOfBooking(attempt: BookingAttempt): SentBooking | HeldBack {
  switch (attempt?.outcome) {
    case 'wait':
      return { ...attempt, outcome: 'held-back' };
    case 'applied':
    case 'rejected':
    case 'unknown':
      return attempt;
    default:
      return attemptFailed;
  }
}

function notApplied(attempt: Refused | NotDone | { kind: 'done' | 'accepted' }): NotApplied {
  if (!hasReason(attempt)) return attemptFailed;
  switch (attempt.kind) {
    case 'refused': {
      const { code, message, platformMessage } = attempt;
      return {
        outcome: 'rejected',
        code,
        message,
        ...(platformMessage !== undefined && { platformMessage }),
      };
    }
    case 'wait': {
      const { kind: _, ...why } = attempt;
      return { outcome: 'held-back', ...why };
    }
    case 'suspended':
      return { outcome: 'held-back', code: attempt.code, ...(attempt.keepsId && { keepsId: true }) };
    case 'unknown': {
      const { kind: _, ...why } = attempt;
      return { outcome: 'unknown', ...why };
    }
    default:
      return attemptFailed;
  }
}

function hasReason(attempt: object | undefined): attempt is Refused | NotDone {
  const { kind, code, message } = (attempt ?? {}) as Partial<Refused>;
  return typeof code === 'string' && (kind !== 'refused' || typeof message === 'string');
}

/** An operator can complete an activity with any result: one of another form may have been sent. */
const attemptFailed: Readonly<Unknown> = { outcome: 'unknown', code: 'ATTEMPT_FAILED' };

/** Which attempt of which command a request to the platform is: no other run sends it again. */
export interface AttemptId {
  /** Business identity of the command, such as `17:dispatch.start:{commandId}`; never personal data. */
  command: string;
  /** Distinguishes the attempts of the command. One that was not recorded has the same as the next (`HeldBack.keepsId`). */
  attempt: string;
  /** The run whose history this one continues: its own id, unless it was reset. */
  originalRunId: string;
}

/**
 * Milliseconds that a request to the platform waits for a worker at most. One that no worker began by then is not sent later: the
 * workflow decides again (L20).
 */
export const startWithinMs = 15_000;

/**
 * Type of an activity's failure where a worker could not read the data key of its argument: the activity did nothing. Only a
 * decoding worker throws it.
 */
export const argumentNotReadType = 'DataKeyNotRead';
