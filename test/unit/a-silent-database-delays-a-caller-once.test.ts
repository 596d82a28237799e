import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Availability } from '../../src/store/connection/availability.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => {});

/** A database that answers, refuses or is silent. */
function fakeDatabase() {
  const database = { answers: true, isSlow: false, statements: 0, probes: 0 };
  const answer = () => (database.answers ? Promise.resolve('row') : never());
  const availability = new Availability({
    probe: () => {
      database.probes += 1;
      return answer();
    },
    answerWithinMs: 1_500,
    probeEveryMs: 500,
  });
  const ask = () =>
    availability.run(() => {
      database.statements += 1;
      return database.isSlow ? never() : answer();
    });
  return { database, availability, ask };
}

it('a statement without an answer is abandoned in time, and the next ones fail at once', async () => {
  const { database, availability, ask } = fakeDatabase();
  expect(await ask()).toBe('row');
  database.answers = false;
  const first = expect(ask()).rejects.toMatchObject({ code: 'DATABASE_SILENT' });
  await vi.advanceTimersByTimeAsync(1_499);
  expect(availability.isSilent).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await first;
  expect(availability.isSilent).toBe(true);
  // no time passes here
  await expect(ask()).rejects.toMatchObject({ code: 'DATABASE_SILENT' });
  expect(database.statements).toBe(2);
});

it('statements run again once a probe is answered; a probe without an answer is repeated', async () => {
  const { database, ask } = fakeDatabase();
  database.answers = false;
  const first = expect(ask()).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(1_500);
  await first;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(database.probes).toBeGreaterThan(2);
  await expect(ask()).rejects.toThrow();
  database.answers = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await ask()).toBe('row');
  const { probes } = database;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(database.probes).toBe(probes);
});

it('statements under way when the database is found silent are abandoned, also long ones', async () => {
  const { database, availability, ask } = fakeDatabase();
  database.answers = false;
  const silent = { code: 'DATABASE_SILENT' };
  const ends: string[] = [];
  const long = availability.runLong(async (abandoned) => {
    abandoned.addEventListener('abort', () => ends.push('aborted'));
    return never();
  });
  const failed = [expect(long).rejects.toMatchObject(silent)];
  await vi.advanceTimersByTimeAsync(1_000);
  failed.push(expect(ask()).rejects.toMatchObject(silent));
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(failed);
  expect(ends).toEqual(['aborted']);
  await expect(availability.runLong(never)).rejects.toMatchObject(silent);
});

it('a long statement continues while the database answers probes', async () => {
  const { database, availability } = fakeDatabase();
  let answer = (_: string) => {};
  const long = availability.runLong(() => new Promise<string>((resolve) => (answer = resolve)));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(database.probes).toBe(1);
  answer('rows');
  expect(await long).toBe('rows');
  expect(availability.isSilent).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

it('a process that did not run for a while does not consider its database silent', async () => {
  vi.useRealTimers();
  const answerSoon = () => new Promise<string>((resolve) => setImmediate(resolve, 'row'));
  const availability = new Availability({ probe: answerSoon, answerWithinMs: 1_000 });
  const late = expect(availability.run(never)).rejects.toThrow();
  // every timer is late, and fires before any answer is read
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  await late;
  expect(availability.isSilent).toBe(false);
  expect(await availability.run(answerSoon)).toBe('row');
});

it('one slow statement fails alone: the others run, because the probe is answered meanwhile', async () => {
  const { database, availability, ask } = fakeDatabase();
  database.isSlow = true;
  const slow = [ask(), ask()].map((one) => expect(one).rejects.toMatchObject({ code: 'DATABASE_SILENT' }));
  await vi.advanceTimersByTimeAsync(1_500);
  await Promise.all(slow);
  expect(availability.isSilent).toBe(false);
  database.isSlow = false;
  expect(await ask()).toBe('row');
});

it('a refusal is an answer: the caller gets it, and the next statement runs', async () => {
  const { availability, ask } = fakeDatabase();
  await expect(availability.run(() => Promise.reject(new Error('duplicate key')))).rejects.toThrow(
    'duplicate key',
  );
  expect(await ask()).toBe('row');
  expect(vi.getTimerCount()).toBe(0);
});

it('no probe is sent after the end', async () => {
  const { database, availability, ask } = fakeDatabase();
  database.answers = false;
  const first = expect(ask()).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(1_500);
  await first;
  const { probes } = database;
  availability.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(database.probes).toBe(probes);
});
