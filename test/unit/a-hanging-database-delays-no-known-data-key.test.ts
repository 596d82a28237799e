import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { argumentNotReadType } from '../../src/contract/attempt.js';
import { deferred } from '../../src/domain/shared/deferred.js';
import { databaseErrorCode } from '../../src/store/connection/errors.js';
import { createDataKeys } from '../../src/store/data-keys.js';
import type { HandoverDb } from '../../src/store/handover.js';
import { ringWrap } from '../../src/store/sealing/key-wrap.js';
import { publicTestKey } from '../support/codec.js';

const scope = 'reservation-1';
const wrap = ringWrap([publicTestKey]);

/** Data keys on a database that gives these answers, one after the other; the last one again and again. */
function dataKeysOn(...answers: (() => Promise<{ rows: object[] }>)[]) {
  let statements = 0;
  const execute = () => {
    const answer = answers[Math.min(statements, answers.length - 1)];
    statements += 1;
    return answer?.();
  };
  const keys = createDataKeys({ execute } as unknown as HandoverDb, {
    wrap,
    remainsOf: async () => undefined,
  });
  return { keys, countStatements: () => statements };
}
const found = async () => {
  const wrapped = (await wrap.wrap(randomBytes(32), scope)).toString('base64');
  return { rows: [{ scope, wrapped, isNew: false }] };
};
const missing = async () => ({ rows: [] });
const hangs = () => new Promise<never>(() => {});

describe('while the database hangs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('a key in memory serves on after 1.5 s, then at once, and its read is not repeated beside one that hangs', async () => {
    const { keys, countStatements } = dataKeysOn(found, hangs);
    const key = await keys.forReading(scope);
    vi.advanceTimersByTime(60_000);
    const late = [keys.forReading(scope), keys.forReading(scope), keys.forWriting(scope)];
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await Promise.all(late)).toEqual([key, key, key]);
    expect(keys.forReading(scope)).toBe(key);
    await vi.advanceTimersByTimeAsync(5_000);
    const again = keys.forReading(scope);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await again).toBe(key);
    // the first one, a read and a make
    expect(countStatements()).toBe(3);
  });

  it('a key that is not in memory is a failure after 5 s, and is there once the database answers', async () => {
    const { promise: answered, resolve: answer } = deferred();
    const { keys } = dataKeysOn(() => answered.then(found));
    const failed = Promise.resolve(keys.forReading(scope)).catch((error) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    const error = await failed;
    expect([error.name, databaseErrorCode(error)]).toEqual([argumentNotReadType, 'DATABASE_SILENT']);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(keys.forReading(scope)).toMatchObject({ version: expect.any(String) });
  });

  it('a key that was destroyed meanwhile does not serve on', async () => {
    const { keys } = dataKeysOn(found, hangs);
    await keys.forReading(scope);
    vi.advanceTimersByTime(60_000);
    const failed = Promise.resolve(keys.forReading(scope)).catch((error) => error);
    keys.forget(scope);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await failed).toMatchObject({ name: argumentNotReadType });
  });
});

it('a read beside a write of the same key fails as a read, so that an action whose argument it is counts as not sent', async () => {
  const silent = () => Promise.reject(new Error('silent'));
  const { keys } = dataKeysOn(silent);
  const both = await Promise.allSettled([keys.forWriting(scope), keys.forReading(scope)]);
  expect(both).toMatchObject([
    { reason: { name: 'DataKeyNotMade' } },
    { reason: { name: argumentNotReadType } },
  ]);
});

it('a write beside a read of a key that is missing makes it', async () => {
  const { keys } = dataKeysOn(missing, found);
  const [read, made] = await Promise.allSettled([keys.forReading(scope), keys.forWriting(scope)]);
  expect(read).toMatchObject({ reason: { name: 'MissingDataKeyError' } });
  expect(made.status).toBe('fulfilled');
});
