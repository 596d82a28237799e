import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { endPrograms, endProgramsOnSignal, startProgram, untilReady } from '../../bench/child.js';
import { deadAddress } from '../support/http-peer.js';

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

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends every program, then the bench with code %i', async (signal, code) => {
  const handlers = new Map<string | symbol, () => void>();
  const once = vi.spyOn(process, 'once').mockImplementation((name, handler) => {
    handlers.set(name, handler);
    return process;
  });
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  onTestFinished(() => exit.mockRestore());
  endProgramsOnSignal();
  once.mockRestore();
  const children = [start(), start()];

  handlers.get(signal)?.();

  await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(code), 10_000);
  expect(children.map(({ pid }) => isRunning(pid))).toEqual([false, false]);
});
