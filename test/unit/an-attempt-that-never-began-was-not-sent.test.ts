import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/common';
import { expect, it } from 'vitest';
import { type Attempt, outcomeOf, outcomeOfAction, outcomeOfBooking } from '../../src/contract/attempt.js';
import { DataKeyNotMade, DataKeyNotRead } from '../../src/store/sealing/errors.js';
import { endOf } from '../../workflows/shared/attempts.js';

const failed = (cause: Error) =>
  new ActivityFailure('failed', 'dispatchStart', '5', 'IN_PROGRESS', 'a worker', cause);
const timedOut = (type: ConstructorParameters<typeof TimeoutFailure>[2]) =>
  failed(new TimeoutFailure('late', undefined, type));

const endOfFailed = (error: Error) => endOf<Attempt<object>, unknown>(() => Promise.reject(error), outcomeOf);

it('L30: an attempt that no worker began is held back; any other one has an unknown outcome', async () => {
  const held = { outcome: 'held-back', code: 'NOT_STARTED' };
  expect(await endOfFailed(timedOut('SCHEDULE_TO_START'))).toEqual(held);
  // its argument could not be decrypted while the database was down
  const notRead = ApplicationFailure.fromError(new DataKeyNotRead({ cause: null }), { message: '' });
  expect(await endOfFailed(failed(notRead))).toEqual(held);
  const notMade = ApplicationFailure.fromError(new DataKeyNotMade({ cause: null }), { message: '' });
  expect(await endOfFailed(failed(notMade))).toEqual({ outcome: 'unknown', code: 'ATTEMPT_FAILED' });
  const ends = [
    [timedOut('START_TO_CLOSE'), 'TIMEOUT'],
    [timedOut('HEARTBEAT'), 'TIMEOUT'],
    [failed(ApplicationFailure.nonRetryable('by hand')), 'ATTEMPT_FAILED'],
    [failed(new CancelledFailure('cancelled')), 'ATTEMPT_LOST'],
    [new Error('anything else'), 'ATTEMPT_LOST'],
  ] as const;
  for (const [error, code] of ends) {
    expect(await endOfFailed(error)).toEqual({ outcome: 'unknown', code });
  }
});

it('L30: a result of an unknown form is an unknown outcome, not an error', async () => {
  for (const result of [null, undefined, 'done', {}, { kind: 'other' }]) {
    for (const read of [outcomeOf, outcomeOfAction, outcomeOfBooking] as ((result: never) => unknown)[]) {
      const end = await endOf(async () => result as never, read);
      expect(end).toEqual({ outcome: 'unknown', code: 'ATTEMPT_FAILED' });
    }
  }
  const done = await endOf<Attempt<number>, unknown>(async () => ({ kind: 'done', value: 1 }), outcomeOf);
  expect(done).toEqual({ outcome: 'applied', value: 1 });
});
