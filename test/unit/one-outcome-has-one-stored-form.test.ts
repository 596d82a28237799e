import { expect, it } from 'vitest';
import {
  actionAttemptOf,
  attemptOf,
  bookingAttemptOf,
  outcomeOf,
  outcomeOfAction,
  outcomeOfBooking,
} from '../../src/contract/attempt.js';
import type { Outcome } from '../../src/domain/shared/outcome.js';

const notApplied = [
  [{ outcome: 'rejected', code: 'NOT_FOUND', message: 'no', platformMessage: 'gone' }, { kind: 'refused' }],
  [{ outcome: 'held-back', code: 'RATE_LIMITED', retryAfterMs: 5 }, { kind: 'wait' }],
  [{ outcome: 'held-back', code: 'NOT_STARTED' }, { kind: 'wait' }],
  [{ outcome: 'held-back', code: 'ATTEMPT_EXPIRED', keepsId: true }, { kind: 'wait' }],
  [{ outcome: 'held-back', code: 'FORBIDDEN' }, { kind: 'suspended' }],
  [{ outcome: 'held-back', code: 'ROLE_SUSPENDED', keepsId: true }, { kind: 'suspended' }],
  [{ outcome: 'unknown', code: 'TIMEOUT' }, { kind: 'unknown' }],
] as const satisfies readonly (readonly [Outcome<never>, { kind: string }])[];

it.each(notApplied)('L30: $code is stored as before, and read as it was', (outcome, { kind }) => {
  const { outcome: _, ...why } = outcome;
  expect(attemptOf(outcome)).toEqual({ kind, ...why });
  expect(outcomeOf(attemptOf(outcome))).toEqual(outcome);
  const forState = kind === 'refused' ? { forState: false } : {};
  expect(actionAttemptOf(outcome)).toEqual({ kind, ...why, ...forState });
  expect(outcomeOfAction(actionAttemptOf(outcome))).toEqual(outcome);
});

it('L30: an applied outcome is stored with its result', () => {
  const made = { outcome: 'applied', value: { memoId: 5 } } as const;
  expect(attemptOf(made)).toEqual({ kind: 'done', value: { memoId: 5 } });
  expect(outcomeOf(attemptOf(made))).toEqual(made);
  const moved = { outcome: 'applied', status: 15, unparsed: true } as const;
  expect(actionAttemptOf(moved)).toEqual({ kind: 'accepted', status: 15, unparsed: true });
  expect(outcomeOfAction(actionAttemptOf(moved))).toEqual(moved);
});

it('L30: a refusal for the status is marked for workers of 0.3.0', () => {
  const refused = { outcome: 'rejected', code: 'ILLEGAL_STATE', message: 'not now' } as const;
  expect(actionAttemptOf(refused)).toMatchObject({ kind: 'refused', forState: true });
});

it('L30: a booking waits for the platform and not for a key', () => {
  const busy = { outcome: 'held-back', code: 'UNREACHABLE' } as const;
  expect(bookingAttemptOf(busy, 'try later')).toEqual({ outcome: 'wait', code: 'UNREACHABLE' });
  expect(outcomeOfBooking(bookingAttemptOf(busy, 'try later'))).toEqual(busy);
  const forbidden = { outcome: 'held-back', code: 'FORBIDDEN' } as const;
  const rejected = { outcome: 'rejected', code: 'FORBIDDEN', message: 'try later' };
  expect(bookingAttemptOf(forbidden, 'try later')).toEqual(rejected);
});

it('L24: a malformed result, as an operator may enter it, is an attempt of unknown outcome', () => {
  const broken = [
    undefined,
    null,
    {},
    { kind: 'refused' },
    { kind: 'refused', code: 'E' },
    { kind: 'wait' },
    { kind: 'unknown' },
  ];
  for (const each of broken) {
    expect(outcomeOf(each as never)).toEqual({ outcome: 'unknown', code: 'ATTEMPT_FAILED' });
    expect(outcomeOfAction(each as never)).toEqual({ outcome: 'unknown', code: 'ATTEMPT_FAILED' });
  }
});
