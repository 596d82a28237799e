import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { FolderInUseError } from '../../src/store/files/folder-lock.js';
import { connectClient, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { type DevServer, startDevServer } from '../../src/temporal/server/dev-server.js';
import { PortInUseError } from '../../src/temporal/server/ports.js';
import { endProcess, isAlive } from '../../src/temporal/server/process-info.js';
import { cachedBinary, cacheRoot } from '../../src/temporal/server/provision/cache.js';
import { engines } from '../../src/temporal/server/provision/engines.js';
import { serverVersion } from '../../src/temporal/server/server-version.js';
import { freeze } from '../support/freeze.js';
import { builtModule, firstLine, runScript } from '../support/product.js';

let folder: string;
let servers: DevServer[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-engine-'));
  servers = [];
});
afterEach(async () => {
  for (const { pid } of servers) await endProcess(pid, 0);
  await rm(folder, { recursive: true, force: true });
});

async function start(
  ports = { port: 0, uiPort: 0 },
  binary: string = inject('devServerPath'),
): Promise<DevServer> {
  const server = await startDevServer({ binary, folder, ...ports });
  servers.push(server);
  return server;
}

const record = () => join(folder, 'engine.json');

describe('one engine per data folder', () => {
  it('the engine starts with state, log and record in the folder, and stops without leaving a process', async () => {
    const server = await start();
    expect(server.reused).toBe(false);
    expect(JSON.parse(readFileSync(record(), 'utf8'))).toMatchObject({ pid: server.pid });
    expect(existsSync(join(folder, 'engine.log'))).toBe(true);
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    expect(existsSync(record())).toBe(false);
  });

  it('the engine starts on other ports where a program has taken a chosen one before it listens, three times at most', async () => {
    const tries = join(folder, 'tries');
    const takenTimes = async (times: number) => {
      const path = join(folder, `engine-${times}`);
      const taken = `echo 'listen tcp 127.0.0.1:1: bind: address already in use'; exit 1`;
      const script = `#!/bin/sh
if [ "$1" = server ]; then
  echo try >> '${tries}'
  if [ "$(wc -l < '${tries}')" -le ${times} ]; then ${taken}; fi
fi
exec '${inject('devServerPath')}' "$@"
`;
      await writeFile(path, script, { mode: 0o700 });
      return path;
    };
    const server = await start(undefined, await takenTimes(2));
    expect(JSON.parse(readFileSync(record(), 'utf8'))).toMatchObject({ pid: server.pid });
    await server.stop();
    await rm(tries);
    await expect(start(undefined, await takenTimes(3))).rejects.toThrow('address already in use');
  });

  it('the engine still has its workflows after a restart', async () => {
    const first = await start();
    await withClient(first, (client) =>
      client.workflow.start('anything', { workflowId: 'stored', taskQueue: 'without a worker' }),
    );
    await first.stop();
    const second = await start();
    await withClient(second, async (client) => {
      expect((await client.workflow.getHandle('stored').describe()).status.name).toBe('RUNNING');
    });
  });

  it('the next process takes the engine over after the process that started it was killed, whatever port is requested', async () => {
    const module = await builtModule('src/temporal/server/dev-server.js');
    const starter = runScript(
      `const [module, binary, folder] = process.argv.slice(1);
       const { startDevServer } = await import(module);
       const { pid, address } = await startDevServer({ binary, folder, port: 0, uiPort: 0 });
       console.log(JSON.stringify({ pid, address }));
       setInterval(() => {}, 1000);`,
      [module, inject('devServerPath'), folder],
    );
    const { pid, address } = JSON.parse(await firstLine(starter));
    starter.kill('SIGKILL');
    await once(starter, 'close');
    const server = await start();
    expect(server).toMatchObject({ pid, address, reused: true });
    await server.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('two starts on one folder share one engine', async () => {
    const [first, second] = await Promise.all([startAfterLock(), startAfterLock()]);
    expect(second.pid).toBe(first.pid);
  });

  it('an engine that hangs is replaced', async () => {
    const stuck = await start();
    await freeze(stuck.pid as number);
    const server = await start();
    expect(server.reused).toBe(false);
    expect(isAlive(stuck.pid)).toBe(false);
  });

  it("a record whose process id now belongs to another program is not mistaken for an engine's", async () => {
    const database = join(folder, 'temporal-1.0.0.db');
    await writeFile(record(), JSON.stringify({ pid: process.pid, port: 1, uiPort: null, database }));
    const server = await start();
    expect(server.reused).toBe(false);
    expect(isAlive(process.pid)).toBe(true);
  });
});

describe('a port in use', () => {
  let other: Server;
  let taken: number;
  beforeEach(async () => {
    other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    taken = typeof address === 'object' ? (address?.port ?? 0) : 0;
  });
  afterEach(() => other.close());

  it.each([
    ['HANDOVER_TEMPORAL_PORT', () => ({ port: taken, uiPort: 0 })],
    ['HANDOVER_TEMPORAL_UI_PORT', () => ({ port: 0, uiPort: taken })],
  ])('is reported in one line that names %s', async (variable, ports) => {
    const error = await start(ports()).catch((e) => e);
    expect(error).toBeInstanceOf(PortInUseError);
    expect(error.message).toMatch(new RegExp(`port ${taken} .*${variable}`));
    expect(existsSync(record())).toBe(false);
  });
});

it('a binary that is no Temporal CLI is reported as such', async () => {
  await expect(startDevServer({ binary: process.execPath, folder, port: 0, uiPort: 0 })).rejects.toThrow(
    'is no Temporal CLI',
  );
});

it('the state of another server version is left as it is, and no engine starts', async () => {
  await writeFile(join(folder, 'temporal-1.0.0.db'), '');
  await expect(start()).rejects.toThrow('state of Temporal server 1.0.0');
  expect(existsSync(record())).toBe(false);
});

const pinned = engines['dev-server'];
const inCache = cachedBinary(cacheRoot(process.env), pinned);
it.runIf(existsSync(inCache))(
  'the CLI that Handover gets has the server that it is listed with',
  async () => {
    expect(await serverVersion(inCache)).toBe(pinned.serverVersion);
  },
);

async function startAfterLock(): Promise<DevServer> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function withClient(server: DevServer, use: (client: Client) => Promise<unknown>): Promise<void> {
  const connection = await connectClient(embeddedTarget(server.address));
  await use(new Client({ connection }));
  await connection.close();
}
