import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { DataKeyNotRead, KeyStoreError, MissingDataKeyError } from '../../src/store/sealing/errors.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { bundleWorkflows } from '../../src/temporal/worker/bundle.js';
import { checkOpenRuns } from '../../src/tools/release/check/check.js';
import type { ReminderActivities } from '../replay/worked-example/activities.js';
import { publicTestKey, testDataConverter } from '../support/codec.js';
import { MemoryDataKeys } from '../support/data-keys.js';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { TestReservation } from '../support/reservations.js';
import { createTestWorker, startTestWorker } from '../support/test-worker.js';

const reminder = (name: string) =>
  fileURLToPath(new URL(`../replay/worked-example/${name}.ts`, import.meta.url));
const bundleOf = (name: string) =>
  bundleWorkflows(reminder(name), join(inject('runFolder'), `${name}-${randomUUID()}.js`));

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer(testDataConverter);
});
afterAll(() => engine?.stop());

const temporal = () => ({ client: engine.client, dataConverter: testDataConverter });
const listed = (query: string, count: number) =>
  eventually(
    'they are listed',
    async () => (await engine.client.workflow.count(query)).count === count,
    20_000,
  );

it('a build continues its own open reservations, also a sample of them, without a worker', async () => {
  const taskQueue = `checked-${randomUUID()}`;
  const { nativeConnection: connection, namespace } = engine;
  const platform = new FakePlatform();
  const worker = await createTestWorker({
    connection,
    namespace,
    taskQueue,
    dataConverter: testDataConverter,
    activities: platform.activities(),
  });
  await worker.runUntil(async () => {
    for (const id of [1, 2, 3]) {
      const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, id);
      await rental.deliver(rental.event({ status: 5 }));
      await rental.sendAction('dispatch.staff');
    }
  });
  const query = `TaskQueue = '${taskQueue}'`;
  await listed(query, 3);
  const bundle = workflowBundle();
  expect(await checkOpenRuns(temporal(), { bundle, query, sample: 200 })).toEqual({
    types: [{ type: 'reservation', open: 3, replayed: 3 }],
    breaks: [],
    unread: [],
  });
  expect((await checkOpenRuns(temporal(), { bundle, query, sample: 2 })).types).toEqual([
    { type: 'reservation', open: 3, replayed: 2 },
  ]);
});

describe('a history that cannot be decrypted is no difference', () => {
  const taskQueue = `unread-${randomUUID()}`;
  const keys = new MemoryDataKeys();
  const ring = [publicTestKey];
  beforeAll(async () => {
    const dataConverter = encryptingDataConverter(ring, { dataKeys: keys });
    const { nativeConnection, connection, namespace } = engine;
    const client = new Client({ connection, namespace, dataConverter });
    const stop = await startTestWorker({
      connection: nativeConnection,
      namespace,
      taskQueue,
      dataConverter,
      activities: new FakePlatform().activities(),
    });
    const rental = new TestReservation(client, async () => Date.now(), taskQueue, 4);
    await rental.deliver(rental.event({ status: 5 }));
    await rental.sendAction('dispatch.staff');
    await stop();
    await listed(`TaskQueue = '${taskQueue}'`, 1);
  });
  const check = (dataConverter: DataConverter) =>
    checkOpenRuns(
      { client: engine.client, dataConverter },
      { bundle: workflowBundle(), query: `TaskQueue = '${taskQueue}'`, sample: 1 },
    );
  const failing = (error: Error) => ({
    areWritten: true,
    forReading: () => Promise.reject(error),
    forWriting: () => Promise.reject(error),
    remainsOf: async () => undefined,
  });

  it('with the keys it is replayed', async () => {
    const found = await check(encryptingDataConverter(ring, { dataKeys: keys }));
    expect(found).toMatchObject({ types: [{ replayed: 1 }], breaks: [], unread: [] });
  });

  it('without them it is listed as not read, by the id of the key', async () => {
    const dataKeys = failing(new MissingDataKeyError('reservation-4'));
    const converters = [
      encryptingDataConverter(ring),
      encryptingDataConverter(ring, { dataKeys }),
      encryptingDataConverter([{ id: 'other', key: Buffer.alloc(32, 7) }]),
    ];
    for (const converter of converters) {
      const found = await check(converter);
      expect(found).toMatchObject({ types: [{ replayed: 0 }], breaks: [] });
      expect(found.unread).toEqual([
        expect.objectContaining({ workflowId: 'reservation-4', reason: expect.stringContaining('key') }),
      ]);
    }
  });

  it('a database that gives no answer ends the check', async () => {
    const dataKeys = failing(new DataKeyNotRead({ cause: new Error('silent') }));
    await expect(check(encryptingDataConverter(ring, { dataKeys }))).rejects.toThrow(KeyStoreError);
  });
});

it('a change that breaks open runs is found before it has traffic, and reported without what they hold', async () => {
  const taskQueue = `reminders-${randomUUID()}`;
  const activities: ReminderActivities = {
    remind: () => new Promise(() => {}),
    isReturned: async () => false,
  };
  const { nativeConnection: connection, namespace, dataConverter } = engine;
  const before = await bundleOf('1-before');
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: before,
    activities,
    ...(dataConverter !== undefined && { dataConverter }),
    shutdownGraceTime: 0,
    shutdownForceTime: 100,
  });
  const running = worker.run().catch(() => {});
  const run = await engine.client.workflow.start('returnReminder', {
    workflowId: taskQueue,
    taskQueue,
    args: [8421, 10],
  });
  await eventually('it has passed the line', async () =>
    (await run.fetchHistory()).events?.some((one) => one.activityTaskScheduledEventAttributes),
  );
  worker.shutdown();
  await running;
  const query = `TaskQueue = '${taskQueue}'`;
  await listed(query, 1);
  const check = async (name: string) =>
    (await checkOpenRuns(temporal(), { bundle: await bundleOf(name), query, sample: 10 })).breaks;
  expect(await check('2-patched')).toEqual([]);
  expect(await check('careless')).toEqual([
    {
      workflowId: taskQueue,
      runId: run.firstExecutionRunId,
      type: 'returnReminder',
      reason: expect.stringContaining('TMPRL1100'),
    },
  ]);
});
