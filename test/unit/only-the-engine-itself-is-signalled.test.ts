import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDevServer } from '../../src/temporal/server/dev-server.js';
import { readRecord, writeRecord } from '../../src/temporal/server/dev-server-record.js';
import { commandLineOf, isAlive } from '../../src/temporal/server/process-info.js';

// every engine serves, but for one that has ended
vi.mock('../../src/temporal/server/health.js', () => ({
  waitUntilServing: async (_address: string, _name: string, _ms: number, ended: () => string | undefined) =>
    ended(),
}));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-signalled-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** The signals that are sent from here on. */
function signalsSent() {
  const kill = vi.spyOn(process, 'kill');
  return () => kill.mock.calls.filter(([, signal]) => signal !== 0);
}

/** Whether its process id may be given to another program. */
function isCollected(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** Starts an engine that runs `script`. */
async function start(script: string) {
  const binary = join(folder, 'engine');
  const reportsVersion = 'if [ "$1" = --version ]; then echo "temporal version 9 (Server 1.29.1)"; exit; fi';
  await writeFile(binary, `#!/bin/sh\n${reportsVersion}\n${script}\n`, { mode: 0o755 });
  return startDevServer({ binary, folder, port: 0, uiPort: 0 });
}

it('a stop ends an engine that runs, whatever its command line shows', async () => {
  const engine = await start('exec sleep 600');
  await engine.stop();
  expect(isAlive(engine.pid)).toBe(false);
  expect(readRecord(folder)).toBeUndefined();
});

it('a stop sends no signal to an engine that has ended by itself', async () => {
  const engine = await start('exec sleep 600');
  process.kill(engine.pid, 'SIGKILL');
  await vi.waitUntil(() => isCollected(engine.pid), { interval: 5 });
  const signals = signalsSent();
  await engine.stop();
  expect(signals()).toEqual([]);
  expect(readRecord(folder)).toBeUndefined();
});

it('a stop sends no signal to a program that has the process id of an engine which was taken over', async () => {
  const database = join(folder, 'temporal-1.29.1.db');
  const program = spawn('/bin/sh', ['-c', 'read go; exec sleep 600', 'start-dev', database]);
  const closed = once(program, 'close');
  try {
    writeRecord(folder, { pid: program.pid ?? 0, port: 7, uiPort: null, database });
    const engine = await startDevServer({ binary: 'none', folder, port: 0, uiPort: 0 });
    expect(engine).toMatchObject({ pid: program.pid, reused: true });
    program.stdin.end('\n');
    await vi.waitUntil(async () => (await commandLineOf(program.pid ?? 0))?.startsWith('sleep'), {
      interval: 5,
    });
    const signals = signalsSent();
    await engine.stop();
    expect(signals()).toEqual([]);
    expect(readRecord(folder)).toBeUndefined();
  } finally {
    program.kill('SIGKILL');
    await closed;
  }
});
