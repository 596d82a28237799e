import { randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DataKeys } from '../../src/store/sealing/data-keys.js';
import { DataKeyNotMade, DataKeyNotRead, UnknownKeyError } from '../../src/store/sealing/errors.js';
import { viewOf } from '../../src/temporal/client/reservations/view.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { EngineUnavailableError } from '../../src/temporal/connection/unavailable.js';
import { createScanWorker } from '../../src/temporal/worker/worker.js';
import { publicTestKey } from '../support/codec.js';
import { MemoryDataKeys } from '../support/data-keys.js';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, TestReservation } from '../support/reservations.js';
import { createTestWorker } from '../support/test-worker.js';
import { actUnsent } from '../support/unsent-action.js';

const dataKeys = new MemoryDataKeys();
const converterOf = (keys: DataKeys) => encryptingDataConverter([publicTestKey], { dataKeys: keys });

let env: TestDevServer;
beforeAll(async () => {
  env = await devServer(converterOf(dataKeys));
});
afterAll(() => env?.stop());

it.each([
  ['whose worker lacks a key of CODEC_KEYS', new UnknownKeyError('next'), new UnknownKeyError('next'), 1],
  [
    'whose worker gets no answer of the database',
    new DataKeyNotRead({ cause: null }),
    new DataKeyNotMade({ cause: null }),
    2,
  ],
])(
  'L20, L30: an attempt %s is held back and sent later, and the worker lives on',
  async (_, read, write, id) => {
    let lacks = true;
    let reads = 0;
    const orThrow = (error: Error) => {
      if (lacks) throw error;
    };
    const partial: DataKeys = {
      areWritten: true,
      forReading: (scope) => {
        reads++;
        orThrow(read);
        return dataKeys.forReading(scope);
      },
      forWriting: (scope) => {
        orThrow(write);
        return dataKeys.forWriting(scope);
      },
      remainsOf: (scope, nonce) => dataKeys.remainsOf(scope, nonce),
    };
    const platform = new FakePlatform();
    const taskQueue = `keys-${randomUUID()}`;
    const shared = {
      connection: env.nativeConnection,
      namespace: env.namespace,
      taskQueue,
      activities: platform.activities(),
    };
    const workflows = await Worker.create({
      ...shared,
      dataConverter: converterOf(dataKeys),
      workflowBundle: workflowBundle(),
      enableNonLocalActivities: false,
    });
    const activities = await createScanWorker({
      ...shared,
      dataConverter: converterOf(partial),
      perSecond: 1_000,
      shutdownGraceMs: 1_000,
    });
    const bothRun = (use: () => Promise<void>) => workflows.runUntil(() => activities.runUntil(use));
    await bothRun(async () => {
      const rental = new TestReservation(env.client, async () => Date.now(), taskQueue, id);
      await actUnsent(rental);
      expect(reads).toBeGreaterThan(0);
      expect(platform.attempts).toEqual([]);
      lacks = false;
      await eventually(
        'the request is sent',
        async () => (await rental.view()).commands[0]?.outcome === 'applied',
        60_000,
      );
      await rental.handle.terminate('the test is over');
    });
  },
  120_000,
);

it('L60: a worker that takes a reservation over while the database is down waits for its key, and continues by itself', async () => {
  let isDown = false;
  const afterRestart: DataKeys = {
    areWritten: true,
    forReading: (scope) => {
      if (isDown) throw new DataKeyNotRead({ cause: null });
      return dataKeys.forReading(scope);
    },
    forWriting: (scope) => {
      if (isDown) throw new DataKeyNotMade({ cause: null });
      return dataKeys.forWriting(scope);
    },
    remainsOf: (scope, nonce) => dataKeys.remainsOf(scope, nonce),
  };
  const platform = new FakePlatform();
  const taskQueue = `keys-${randomUUID()}`;
  const createWorker = () =>
    createTestWorker({
      connection: env.nativeConnection,
      namespace: env.namespace,
      taskQueue,
      activities: platform.activities(),
      dataConverter: converterOf(afterRestart),
    });
  const rental = new TestReservation(env.client, async () => Date.now(), taskQueue, 3);
  const now = Date.now();
  const event = (status: number) =>
    rental.event({ status, period: { start: now + 2 * hour, end: now + 12 * hour }, car, company });
  const statusOf = async () => (await viewOf(env.client, rental.id, 5_000))?.status.code;
  await (await createWorker()).runUntil(async () => {
    await rental.deliver(event(5));
    await eventually('it is open', async () => (await statusOf()) === 5);
  });
  isDown = true;
  await (await createWorker()).runUntil(async () => {
    // the sender has the key in memory
    await rental.deliver(event(10));
    await expect(statusOf()).rejects.toBeInstanceOf(EngineUnavailableError);
    isDown = false;
    await eventually('it continues', async () => (await statusOf().catch(() => 0)) === 10, 60_000);
  });
  await rental.handle.terminate('the test is over');
}, 120_000);
