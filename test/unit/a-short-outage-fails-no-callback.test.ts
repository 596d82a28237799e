import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { despiteShortOutages, throughShortOutages } from '../../src/store/connection/short-outages.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const callMs = 700;
const refused = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
/** A database that refuses so many calls from now on, each after 0.7 s. */
const away = (calls: number) => {
  const call = vi.fn(async () => {
    vi.advanceTimersByTime(callMs);
    if (call.mock.calls.length <= calls) throw refused();
    return 'done';
  });
  return call;
};

it.each([0, 1, 4])('work is done late where the database refuses %i calls within 3.5 s', async (calls) => {
  const call = away(calls);
  expect(await throughShortOutages()(call)).toBe('done');
  expect(call).toHaveBeenCalledTimes(calls + 1);
});

it('work fails after 3.5 s of an outage, later work at once, and the next outage is waited for again', async () => {
  const run = throughShortOutages();
  const long = away(Infinity);
  await expect(run(long)).rejects.toThrow('refused');
  expect(long).toHaveBeenCalledTimes(6);
  const later = away(Infinity);
  await expect(run(later)).rejects.toThrow('refused');
  expect(later).toHaveBeenCalledTimes(1);
  await run(away(0));
  expect(await run(away(2))).toBe('done');
});

it.each([
  ['what the statement itself says', '23505'],
  ['a full disk', '53100'],
])('%s fails at once', async (_, code) => {
  const work = vi.fn().mockRejectedValue(Object.assign(new Error('no'), { code }));
  await expect(throughShortOutages()(work)).rejects.toThrow('no');
  expect(work).toHaveBeenCalledTimes(1);
});

it.each([
  ['the server stops', '57P01'],
  ['the server starts', '57P03'],
  ['it has no connection left', '53300'],
  ['a connection breaks', 'ECONNRESET'],
  ['a commit has no answer', 'COMMIT_ABANDONED'],
  ['the embedded database is opened again', 'DATABASE_SILENT'],
])('where %s, work is repeated', async (_, code) => {
  const work = vi
    .fn()
    .mockRejectedValueOnce(Object.assign(new Error('no'), { code }))
    .mockResolvedValue('done');
  expect(await throughShortOutages()(work)).toBe('done');
});

it('a probe passes for 3.5 s of an outage, fails then, and never passes before it has passed once', async () => {
  let isAway = true;
  const probe = despiteShortOutages(async () => {
    if (isAway) throw refused();
  });
  await expect(probe()).rejects.toThrow('refused');
  isAway = false;
  await probe();
  isAway = true;
  await probe();
  vi.advanceTimersByTime(3_000);
  await probe();
  vi.advanceTimersByTime(1_000);
  await expect(probe()).rejects.toThrow('refused');
  isAway = false;
  await probe();
  isAway = true;
  await probe();
});
