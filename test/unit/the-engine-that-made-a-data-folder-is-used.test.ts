import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { engineFolder, startEngine } from '../../src/app/parts/engine.js';
import { Stack } from '../../src/app/startup/stack.js';
import type { DevServer } from '../../src/temporal/server/dev-server.js';
import { cachedBinary, cacheRoot } from '../../src/temporal/server/provision/cache.js';
import { engines } from '../../src/temporal/server/provision/engines.js';

// an engine that is started here ends at once; the one that is left over serves
const leftoverPort = 7;
vi.mock('../../src/temporal/server/health.js', () => ({
  waitUntilServing: async (address: string, _name: string, _ms: number, ended: () => string | undefined) =>
    address.endsWith(`:${leftoverPort}`) ? undefined : vi.waitUntil(ended, { timeout: 20_000, interval: 5 }),
}));

const ours = '1.29.1';

let root: string;
let env: NodeJS.ProcessEnv;
let progress: string[];
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'handover-engine-version-')));
  env = { PATH: join(root, 'bin'), XDG_CACHE_HOME: join(root, 'cache') };
  progress = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

const state = () => engineFolder({ dataDir: root });
const onPath = () => join(root, 'bin', 'temporal');
const other = () => join(root, 'other', 'temporal');
const cached = () => cachedBinary(cacheRoot(env), engines['dev-server']);

/** A program that reports its version as an engine does. Run as an engine it makes its state file, notes itself and ends. */
async function engine(path: string, server: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const script = `#!/bin/sh
if [ "$1" = --version ]; then echo "temporal version 9.9.9 (Server ${server}, UI 2.42.1)"; exit; fi
: > '${state()}/temporal-${server}.db'
echo "$0" > '${join(root, 'ran')}'
exit 3
`;
  await writeFile(path, script, { mode: 0o755 });
  return path;
}

/** The state that 0.2.0 left: a file named after its server, and no record of the engine. */
async function stateOf(server: string, usedAt = new Date()): Promise<void> {
  const file = join(state(), `temporal-${server}.db`);
  await mkdir(state(), { recursive: true });
  await writeFile(file, '');
  await utimes(file, usedAt, usedAt);
}

function begin(): Promise<DevServer> {
  const stack = new Stack(pino({ level: 'silent' }));
  const setting = { config: { dataDir: root, temporal: { port: 0, uiPort: 0 } }, env };
  return startEngine(setting as never, stack, { onProgress: (line) => progress.push(line) });
}

/** @returns why it did not start */
async function start(): Promise<string> {
  await rm(join(root, 'ran'), { force: true });
  return begin().then(
    () => expect.fail('no engine of this test serves'),
    (error: Error) => error.message,
  );
}

/** Path of the engine that was run, if any was. */
async function ran(): Promise<string | undefined> {
  const note = join(root, 'ran');
  return existsSync(note) ? (await readFile(note, 'utf8')).trim() : undefined;
}

describe('the engine that made the data folder', () => {
  it.each([
    ['on PATH', () => ({ ...env, PATH: dirname(other()) })],
    ['at TEMPORAL_CLI_PATH', () => ({ ...env, TEMPORAL_CLI_PATH: other() })],
  ])('is run from the cache although another one is %s, and the other one is named', async (_, withOther) => {
    await stateOf(ours);
    await engine(other(), '1.30.0');
    env = withOther();
    await engine(cached(), ours);
    await start();
    expect(await ran()).toBe(cached());
    expect(existsSync(join(state(), 'temporal-1.30.0.db'))).toBe(false);
    expect(progress.join('\n')).toMatch(/server 1\.30\.0.*server 1\.29\.1/);
  });

  it('is run from its recorded path, when it is found nowhere else', async () => {
    env.TEMPORAL_CLI_PATH = await engine(join(root, 'mine'), '1.28.0');
    await start();
    expect(await ran()).toBe(join(root, 'mine'));
    delete env.TEMPORAL_CLI_PATH;
    await engine(onPath(), '1.30.0');
    await engine(cached(), ours);
    await start();
    expect(await ran()).toBe(join(root, 'mine'));
  });

  it('may be any engine of its version, whatever its path', async () => {
    await stateOf('1.30.0');
    await engine(cached(), ours);
    await engine(onPath(), '1.30.0');
    await start();
    expect(await ran()).toBe(onPath());
  });

  it('continues to be used where it still runs, although its executable is gone', async () => {
    await stateOf('1.28.0');
    await engine(onPath(), '1.30.0');
    const database = join(state(), 'temporal-1.28.0.db');
    const forever = 'setInterval(() => {}, 1000)';
    const leftover = spawn(process.execPath, ['-e', forever, 'start-dev', database], { stdio: 'ignore' });
    const record = { pid: leftover.pid, port: leftoverPort, uiPort: null, database };
    await writeFile(join(state(), 'engine.json'), JSON.stringify(record));
    try {
      const engine = await begin();
      expect(engine).toMatchObject({ pid: leftover.pid, reused: true });
      await engine.stop();
    } finally {
      leftover.kill('SIGKILL');
    }
  });

  it('is the last one used, where 0.2.0 started empty with another one', async () => {
    await stateOf(ours, new Date(Date.now() - 60_000));
    await stateOf('1.30.0');
    await engine(onPath(), '1.30.0');
    await engine(cached(), ours);
    await start();
    expect(await ran()).toBe(onPath());
    expect(progress.join('\n')).toContain(`temporal-${ours}.db`);
  });
});

describe('without it', () => {
  it('no engine starts: the refusal names its version, its path, and every solution', async () => {
    const mine = await engine(join(root, 'mine'), '1.28.0');
    env.TEMPORAL_CLI_PATH = mine;
    await start();
    await rm(mine);
    delete env.TEMPORAL_CLI_PATH;
    await engine(onPath(), '1.30.0');
    await engine(cached(), ours);
    const refusal = await start();
    expect(await ran()).toBeUndefined();
    expect(existsSync(join(state(), 'temporal-1.30.0.db'))).toBe(false);
    expect(refusal).toContain(`${state()} holds the state of Temporal server 1.28.0`);
    expect(refusal).toContain(mine);
    expect(refusal).toContain(`${onPath()} is server 1.30.0`);
    expect(refusal).toContain(`${cached()} is server ${ours}`);
    expect(refusal).toContain('TEMPORAL_CLI_PATH');
    expect(refusal).toMatch(/begin empty.*temporal-1\.28\.0\.db\*/);
  });

  it('none of another version is downloaded or built, nor proposed', async () => {
    await stateOf('1.28.0');
    const refusal = await start();
    expect(refusal).toContain('1.28.0');
    expect(refusal).not.toMatch(/download|to build/);
    expect(existsSync(join(root, 'cache'))).toBe(false);
  });

  it('any engine starts once its state was moved away', async () => {
    await stateOf('1.28.0');
    await engine(onPath(), '1.30.0');
    expect(await start()).toContain('1.28.0');
    await rm(join(state(), 'temporal-1.28.0.db'));
    await start();
    expect(await ran()).toBe(onPath());
  });
});
