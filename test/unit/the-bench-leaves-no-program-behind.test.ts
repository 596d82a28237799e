import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { CallbackWatch } from '../../bench/callback-watch.js';
import { endPrograms, startProgram, startReporting, untilReady } from '../../bench/child.js';
import { readOptions } from '../../bench/options.js';
import { startSides } from '../../bench/sides.js';
import { endOnSignal, removeOnSignal } from '../../bench/signals.js';
import { deadAddress, httpPeer } from '../support/http-peer.js';

let folder: string;
let script: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-bench-child-'));
  script = join(folder, 'sleeps.mjs');
  await writeFile(script, 'setInterval(() => {}, 1_000);');
});
afterAll(async () => {
  await endPrograms();
  await rm(folder, { recursive: true });
});

const start = () => startProgram('sleeper', script, [], { folder, cpuProf: undefined, stdout: 'log' });

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('a program that is not ready in time has ended when its start fails', async () => {
  const child = start();
  await expect(untilReady('sleeper', child, await deadAddress(), 300)).rejects.toThrow(
    'the sleeper did not start; its log is sleeper.log',
  );
  expect(isRunning(child.pid)).toBe(false);
});

it('a program that accepts connections and never answers is given up, too', async () => {
  const { url } = await httpPeer(() => {});
  const child = start();
  await expect(untilReady('sleeper', child, url, 300)).rejects.toThrow('the sleeper did not start');
  expect(isRunning(child.pid)).toBe(false);
});

it('a program that ends before it reports fails its start, with the name of its log', async () => {
  const ends = join(folder, 'ends.mjs');
  await writeFile(ends, 'process.exit(3);');
  await expect(startReporting('floor', ends, [], { folder })).rejects.toThrow(
    'the floor did not start; its log is floor.log',
  );
});

it('a program is started when it has reported, and runs until it is stopped', async () => {
  const reports = join(folder, 'reports.mjs');
  await writeFile(reports, 'console.log(JSON.stringify({ port: 7 })); setInterval(() => {}, 1_000);');
  const { report, pid, stop } = await startReporting<{ port: number }>('floor', reports, [], { folder });
  expect(report.port).toBe(7);
  expect(isRunning(pid)).toBe(true);
  await stop();
  expect(isRunning(pid)).toBe(false);
});

it('a side that does not start leaves nothing that keeps the bench running', async () => {
  const listen = vi.spyOn(CallbackWatch.prototype, 'listen');
  onTestFinished(() => listen.mockRestore());
  // sources are not compiled here: the command of this build does not exist
  await expect(startSides(folder, readOptions([]), [])).rejects.toThrow('the sandbox did not start');
  const callbackUrl: string = await listen.mock.results[0]?.value;
  await expect(fetch(callbackUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  '%s ends every program, removes what the run has left, then ends the bench with code %i',
  async (signal, code) => {
    const handlers = new Map<string | symbol, () => void>();
    const once = vi.spyOn(process, 'once').mockImplementation((name, handler) => {
      handlers.set(name, handler);
      return process;
    });
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    onTestFinished(() => exit.mockRestore());
    endOnSignal();
    once.mockRestore();
    const children = [start(), start()];
    const builds = await mkdtemp(join(folder, 'builds-'));
    onTestFinished(removeOnSignal(() => rm(builds, { recursive: true })));
    const removedBefore = vi.fn(async () => {});
    removeOnSignal(removedBefore)();

    handlers.get(signal)?.();

    await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(code), 10_000);
    expect(children.map(({ pid }) => isRunning(pid))).toEqual([false, false]);
    expect(existsSync(builds)).toBe(false);
    expect(removedBefore).not.toHaveBeenCalled();
  },
);
