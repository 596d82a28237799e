import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ShortOutages } from '../../src/store/connection/short-outages.js';
import { assertWritable } from '../../src/store/connection/writable.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const callMs = 700;
const failed = (code: string) => Object.assign(new Error(code), { code });
/** A database that refuses so many calls from now on, each after 0.7 s. */
const away = (calls: number) => {
  const call = vi.fn(async () => {
    vi.advanceTimersByTime(callMs);
    if (call.mock.calls.length <= calls) throw failed('ECONNREFUSED');
    return 'done';
  });
  return call;
};

it.each([0, 1, 4])('work is done late where the database refuses %i calls within 3.5 s', async (calls) => {
  const call = away(calls);
  expect(await new ShortOutages().through(call)).toBe('done');
  expect(call).toHaveBeenCalledTimes(calls + 1);
});

it('work fails after 3.5 s of an outage, later work at once, and the next outage is waited for again', async () => {
  const outages = new ShortOutages();
  const long = away(Infinity);
  await expect(outages.through(long)).rejects.toThrow('ECONNREFUSED');
  expect(long).toHaveBeenCalledTimes(6);
  const later = away(Infinity);
  await expect(outages.through(later)).rejects.toThrow('ECONNREFUSED');
  expect(later).toHaveBeenCalledTimes(1);
  await outages.through(away(0));
  expect(await outages.through(away(2))).toBe('done');
});

it('work that alone is refused fails after 3.5 s too, whatever other work is done meanwhile', async () => {
  const outages = new ShortOutages();
  const call = away(Infinity);
  const refused = outages.through(async () => {
    const outcome = call();
    await outages.through(async () => 'done');
    return outcome;
  });
  await expect(refused).rejects.toThrow('ECONNREFUSED');
  expect(call).toHaveBeenCalledTimes(6);
});

it('a database that is silent is not waited for any longer', async () => {
  const call = vi.fn(async () => {
    vi.advanceTimersByTime(2_000);
    throw failed('DATABASE_SILENT');
  });
  await expect(new ShortOutages().through(call)).rejects.toThrow('DATABASE_SILENT');
  expect(call).toHaveBeenCalledTimes(1);
});

it.each([
  ['what the statement itself says', '23505'],
  ['a full disk of the server', '53100'],
  ['a full disk of this machine', 'ENOSPC'],
  ['a database that was dropped', '57P04'],
  ['one that takes no writes', '25006'],
])('%s fails at once', async (_, code) => {
  const work = vi.fn().mockRejectedValue(failed(code));
  await expect(new ShortOutages().through(work)).rejects.toThrow(code);
  expect(work).toHaveBeenCalledTimes(1);
});

it.each([
  ['the server stops', '57P01'],
  ['the server starts', '57P03'],
  ['it has no connection left', '53300'],
  ['a connection breaks', 'ECONNRESET'],
  ['its name is unknown while its container is away', 'EAI_AGAIN'],
  ['a commit has no answer', 'COMMIT_ABANDONED'],
  ['the embedded database is opened again', 'DATABASE_SILENT'],
])('where %s, work is repeated', async (_, code) => {
  const work = vi.fn().mockRejectedValueOnce(failed(code)).mockResolvedValue('done');
  expect(await new ShortOutages().through(work)).toBe('done');
});

it('a probe passes for 3.5 s of an outage, from the first work or probe that was refused', async () => {
  const outages = new ShortOutages();
  const refused = () => outages.probe(async () => Promise.reject(failed('ECONNREFUSED')));
  const passed = () => outages.probe(async () => {});
  await refused();
  vi.advanceTimersByTime(4_000);
  await expect(refused()).rejects.toThrow('ECONNREFUSED');
  await passed();
  expect(await outages.through(away(2))).toBe('done');
  await passed();
  await expect(outages.through(away(Infinity))).rejects.toThrow('ECONNREFUSED');
  await expect(refused()).rejects.toThrow('ECONNREFUSED');
});

it('a probe fails at once where the database answers that it takes no writes', async () => {
  const probe = () => assertWritable(async () => [{ readOnly: 'on' }]);
  await expect(new ShortOutages().probe(probe)).rejects.toThrow('takes no writes');
});
