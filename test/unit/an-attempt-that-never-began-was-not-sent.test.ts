import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/common';
import { expect, it } from 'vitest';
import { endOf, failedAttempt } from '../../workflows/shared/attempts.js';

const failed = (cause: Error) =>
  new ActivityFailure('failed', 'dispatchStart', '5', 'IN_PROGRESS', 'a worker', cause);
const timedOut = (type: ConstructorParameters<typeof TimeoutFailure>[2]) =>
  failed(new TimeoutFailure('late', undefined, type));

it('L30: one that no worker began is held back; of any other nobody knows', () => {
  expect(failedAttempt(timedOut('SCHEDULE_TO_START'))).toEqual({ kind: 'wait', code: 'NOT_STARTED' });
  const ends = [
    [timedOut('START_TO_CLOSE'), 'TIMEOUT'],
    [timedOut('HEARTBEAT'), 'TIMEOUT'],
    [failed(ApplicationFailure.nonRetryable('by hand')), 'ATTEMPT_FAILED'],
    [failed(new CancelledFailure('cancelled')), 'ATTEMPT_LOST'],
    [new Error('anything else'), 'ATTEMPT_LOST'],
  ] as const;
  for (const [error, code] of ends) expect(failedAttempt(error)).toEqual({ kind: 'unknown', code });
});

it('L30: a result that nobody understands is unknown, not an error', async () => {
  for (const result of [null, undefined, 'done', {}, { kind: 'other' }]) {
    const end = await endOf<{ kind: 'done' }>(['done'], async () => result as never);
    expect(end).toEqual({ kind: 'unknown', code: 'ATTEMPT_FAILED' });
  }
  expect(await endOf<{ kind: 'done' }>(['done'], async () => ({ kind: 'done' }))).toEqual({ kind: 'done' });
});
