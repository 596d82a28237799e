import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EngineRestarts } from '../../src/app/parts/engine-restarts.js';
import type { DevServer } from '../../src/temporal/server/dev-server.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const engineLog = '/data/temporal/engine.log';

/** Engines with process ids 1, 2, …: those of `alive` live. */
function engines() {
  const [alive, stopped, said] = [new Set<number>(), [] as number[], [] as string[]];
  const logged: { level: number; engineLog?: string }[] = [];
  let [last, refusal] = [0, undefined as Error | undefined];
  const start = async () => {
    if (refusal !== undefined) throw refusal;
    const pid = ++last;
    alive.add(pid);
    const stop = async () => void stopped.push(pid);
    return { pid, stop, address: '127.0.0.1:7233', namespace: 'default', reused: false } satisfies DevServer;
  };
  const begin = async () =>
    new EngineRestarts(await start(), {
      prepare: async () => start,
      engineLog,
      log: pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
      printLine: (line) => void said.push(line),
      isAlive: (pid) => alive.has(pid),
    });
  const refuse = (error?: Error) => {
    refusal = error;
  };
  return { alive, stopped, said, logged, begin, refuse, started: () => last };
}

it('an engine that ended by itself is started again, with an error in the log and one line at the terminal', async () => {
  const all = engines();
  const restarts = await all.begin();
  all.alive.clear();
  await vi.advanceTimersByTimeAsync(2_000);
  expect([...all.alive]).toEqual([2]);
  expect(all.logged.map(({ level }) => level)).toEqual([50, 30]);
  expect(all.logged[0]).toMatchObject({ engineLog });
  expect(all.said).toEqual([expect.stringContaining(engineLog), '  The embedded Temporal runs again.']);
  await restarts.stop();
  expect(all.stopped).toEqual([2]);
  all.alive.clear();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(all.started()).toBe(2);
});

it('an engine that fails five times in a row is given up, with the path of its log', async () => {
  const all = engines();
  const restarts = await all.begin();
  all.alive.clear();
  all.refuse(new Error('embedded Temporal did not start: no'));
  const failed = expect(restarts.failed).rejects.toThrow(
    `embedded Temporal did not start: no, after 5 failures in a row; see ${engineLog}`,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  expect(all.logged.map(({ level }) => level)).toEqual([50, 50, 50, 50, 50]);
  expect(all.said).toHaveLength(1);
});

it('an end within a minute counts as a failure; a run of a minute resets the count', async () => {
  const all = engines();
  const restarts = await all.begin();
  for (let end = 0; end < 10; end++) {
    await vi.advanceTimersByTimeAsync(61_000);
    all.alive.clear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(all.alive.size).toBe(1);
  }
  const failed = expect(restarts.failed).rejects.toThrow('5 failures in a row');
  const killing = setInterval(() => all.alive.clear(), 500);
  await vi.advanceTimersByTimeAsync(120_000);
  clearInterval(killing);
  await failed;
});

it('a stop while the engine is down starts no other', async () => {
  const all = engines();
  const restarts = await all.begin();
  all.alive.clear();
  await vi.advanceTimersByTimeAsync(1_000);
  await restarts.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(all.started()).toBe(1);
});
