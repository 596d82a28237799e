import type { ActionAttempt, Attempt, BookingAttempt, NotDone, Refused } from '../../src/contract/attempt.js';
import type { Answer } from '../../src/domain/reservation/index.js';
import { type Applied, type Outcome, waitsFor, wrongStatusCode } from '../../src/domain/shared/outcome.js';

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
    return { kind: 'suspended', code: outcome.code };
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
