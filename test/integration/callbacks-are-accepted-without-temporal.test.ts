import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { startApiPart } from '../../src/app/parts/api.js';
import { openTemporal } from '../../src/app/parts/temporal.js';
import { embeddedSetting, type Setting } from '../../src/app/startup/setting.js';
import { Stack } from '../../src/app/startup/stack.js';
import { searchAttributes } from '../../src/contract/search-attributes.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import type { OpenTemporal } from '../../src/temporal/client/create-client.js';
import { embeddedTarget } from '../../src/temporal/connection/connection.js';
import { type Launched, launch } from '../../src/temporal/server/dev-server-process.js';
import { waitUntilServing } from '../../src/temporal/server/health.js';
import { freePort } from '../../src/temporal/server/ports.js';
import { endProcess } from '../../src/temporal/server/process-info.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { freeze } from '../support/freeze.js';
import { ask, callback, env, servesWithoutTemporal, unavailable } from '../support/without-temporal.js';

describe('receiver and status API, while Temporal', () => {
  const lane = embeddedLane();
  let folder: string;
  let database: HandoverDatabase;
  let setting: Setting;
  let stack: Stack;
  let temporal: OpenTemporal;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'handover-without-temporal-'));
    database = await lane.open();
    setting = await embeddedSetting({
      ...env,
      HANDOVER_DATA_DIR: folder,
      HANDOVER_PORT: '0',
      HANDOVER_DRAIN: 'PT3S',
    });
  });
  afterAll(async () => {
    await database?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    stack = new Stack(setting.log);
  });
  afterEach(() => stack.stop());

  async function start(port: number): Promise<string> {
    temporal = await openTemporal(setting, stack, { target: embeddedTarget(`127.0.0.1:${port}`), database });
    temporal.monitor.start();
    return startApiPart(setting, stack, { temporal, database, platformUrl: undefined, wakeRelay: () => {} });
  }

  it('refuses connections: callbacks are accepted, and each request that needs it is answered 503', async () => {
    await servesWithoutTemporal(await start(await freePort()), 1);
  });

  it.each([
    ['is silent', () => {}],
    [
      'is something else',
      (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
    ],
  ])('%s: the same', async (_, answer) => {
    const sockets = new Set<Socket>();
    const peer = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      answer(socket);
    });
    await new Promise<void>((listening) => peer.listen(0, '127.0.0.1', listening));
    try {
      await servesWithoutTemporal(await start((peer.address() as AddressInfo).port), 2);
    } finally {
      for (const socket of sockets) socket.destroy();
      peer.close();
    }
  });

  it('starts, freezes, returns and loses its state: each process reconnects each time, with its search attributes', async () => {
    const port = await freePort();
    const engines: Launched[] = [];
    const engine = async () => {
      const log = join(folder, 'engine.log');
      const binary = inject('devServerPath');
      const launched = launch({ binary, port, uiPort: null, database: null, log });
      engines.push(launched);
      expect(await waitUntilServing(`127.0.0.1:${port}`, 'default', 30_000, launched.ended)).toBeUndefined();
      return launched;
    };
    const api = await start(port);
    const { workflow } = temporal.client;
    const query = `${searchAttributes.status.name} = 5`;
    const answers = async () => {
      if ((await ask(api, '/api/reservations/404404')).status !== 404) return false;
      return workflow.count(query).then(
        () => true,
        () => false,
      );
    };
    try {
      await servesWithoutTemporal(api, 3);
      const first = await engine();
      await eventually('it is connected', answers, 30_000, 50);
      expect(await ask(api, '/api/reservations/404404')).toMatchObject({ status: 404 });

      await freeze(first.pid);
      const meanwhile = ask(api, '/api/reservations/404404');
      expect(await callback(api, 4)).toBe(204);
      expect(await ask(api, '/readyz/intake')).toEqual({ status: 200 });
      expect(await meanwhile).toEqual(unavailable);
      process.kill(first.pid, 'SIGCONT');
      await eventually('it returns', answers, 30_000, 50);

      await endProcess(first.pid, 0);
      await eventually('the loss is noticed', () => temporal.monitor.isDown, 30_000);
      await servesWithoutTemporal(api, 5);
      await engine();
      await eventually('the new one has the search attributes', answers, 30_000, 50);
    } finally {
      for (const { pid } of engines) await endProcess(pid, 0);
    }
  }, 120_000);

  it('is unavailable and the process gets SIGTERM: readiness fails first, then requests are served for the drain period', async () => {
    const api = await start(await freePort());
    const stopped = stack.stop({ drains: true });
    expect(await ask(api, '/readyz/intake')).toEqual({ status: 503, code: 'NOT_READY' });
    expect(await callback(api, 6)).toBe(204);
    expect(await ask(api, '/api/reservations?closed=true')).toEqual({ status: 200 });
    await stopped;
    await expect(fetch(`${api}/healthz`)).rejects.toThrow();
  });
});
