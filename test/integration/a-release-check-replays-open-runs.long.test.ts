import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { DataKeyNotRead, KeyStoreError, MissingDataKeyError } from '../../src/store/sealing/errors.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { freePort } from '../../src/temporal/server/ports.js';
import { bundleWorkflows } from '../../src/temporal/worker/bundle.js';
import { checkOpenRuns } from '../../src/tools/release/check/check.js';
import type { ReminderActivities } from '../replay/worked-example/activities.js';
import { publicTestKey, testDataConverter } from '../support/codec.js';
import { MemoryDataKeys } from '../support/data-keys.js';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { Deployment } from '../support/process.js';
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
const onQueue = (taskQueue: string) => `TaskQueue = '${taskQueue}'`;
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
  const query = onQueue(taskQueue);
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

/** An open reservation, whose worker has stopped. */
async function openReservation(taskQueue: string, id: number, dataConverter: DataConverter): Promise<void> {
  const { nativeConnection, connection, namespace } = engine;
  const client = new Client({ connection, namespace, dataConverter });
  const stop = await startTestWorker({
    connection: nativeConnection,
    namespace,
    taskQueue,
    dataConverter,
    activities: new FakePlatform().activities(),
  });
  const rental = new TestReservation(client, async () => Date.now(), taskQueue, id);
  await rental.deliver(rental.event({ status: 5 }));
  await rental.sendAction('dispatch.staff');
  await stop();
  await listed(onQueue(taskQueue), 1);
}

describe('a history that cannot be decrypted is no difference', () => {
  const taskQueue = `unread-${randomUUID()}`;
  const keys = new MemoryDataKeys();
  const ring = [publicTestKey];
  beforeAll(() => openReservation(taskQueue, 4, encryptingDataConverter(ring, { dataKeys: keys })));
  const check = (dataConverter: DataConverter) =>
    checkOpenRuns(
      { client: engine.client, dataConverter },
      { bundle: workflowBundle(), query: onQueue(taskQueue), sample: 1 },
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

/** An open run of the worked example as it was before its change. */
async function openReminder(taskQueue: string) {
  const activities: ReminderActivities = {
    remind: () => new Promise(() => {}),
    isReturned: async () => false,
  };
  const { nativeConnection: connection, namespace, dataConverter } = engine;
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: await bundleOf('1-before'),
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
  await listed(onQueue(taskQueue), 1);
  return run;
}

it('a change that breaks open runs is found before it has traffic, and reported without what they hold', async () => {
  const taskQueue = `reminders-${randomUUID()}`;
  const run = await openReminder(taskQueue);
  const query = onQueue(taskQueue);
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

describe('`handover release check` ends, for a pipeline, with', () => {
  const [continued, broken, underDataKeys] = ['continued', 'broken', 'under-data-keys'].map(
    (name) => `${name}-${randomUUID()}`,
  ) as [string, string, string];
  const right = asSetting(publicTestKey);
  const wrong = asSetting({ id: 'other', key: Buffer.alloc(32, 7) });
  let deployment: Deployment;
  let setting: Record<string, string>;
  let nowhere: number;
  beforeAll(async () => {
    deployment = await Deployment.create();
    nowhere = await freePort();
    setting = {
      TEMPORAL_ADDRESS: engine.address,
      TEMPORAL_NAMESPACE: engine.namespace,
      CODEC_KEYS: right,
      // read only where a payload is under a data key
      DATABASE_URL: `postgres://handover@127.0.0.1:${nowhere}/handover`,
    };
    await openReservation(continued, 5, testDataConverter);
    await openReminder(broken);
    const dataKeys = new MemoryDataKeys();
    await openReservation(underDataKeys, 6, encryptingDataConverter([publicTestKey], { dataKeys }));
  }, 120_000);
  afterAll(() => deployment?.remove());

  const check = async (query: string, more: Record<string, string> = {}) => {
    const run = deployment.run(['release', 'check', '--query', query], { ...setting, ...more });
    return { code: await run.ended, stdout: run.stdout, stderr: run.stderr };
  };
  const containing = (text: string) => expect.stringContaining(text);

  it('0 where this build continues every run', async () => {
    const stdout = containing('reservation: 1 of 1 open runs replayed');
    expect(await check(onQueue(continued))).toMatchObject({ code: 0, stdout });
  });

  it('1 where it would break one, such as of a workflow that it lacks, also beside runs that it continues', async () => {
    const found = await check(`${onQueue(continued)} OR ${onQueue(broken)}`);
    expect(found).toMatchObject({ code: 1, stdout: containing(`breaks ${broken} (run `) });
    expect(found.stdout).toContain('do not give it traffic');
    expect(found.stdout).not.toContain('breaks reservation-');
  });

  it.each([
    ['a query that no open run fits', onQueue('none'), right, 'no open run fits --query'],
    ['a query that Temporal refuses', 'TaskQueue like 1', right, 'invalid query'],
    ['a missing setting', onQueue(continued), '', 'CODEC_KEYS'],
    ['runs that could not be decrypted', onQueue(continued), wrong, '1 runs could not be checked'],
    ['a database that does not answer', onQueue(underDataKeys), right, 'no answer about a data key'],
  ])('2 for %s', async (_, query, keys, reason) => {
    expect(await check(query, { CODEC_KEYS: keys })).toMatchObject({ code: 2, stderr: containing(reason) });
  });

  it('2 where Temporal does not answer', async () => {
    const away = { TEMPORAL_ADDRESS: `127.0.0.1:${nowhere}` };
    const stderr = containing('cannot be used');
    expect(await check(onQueue(continued), away)).toMatchObject({ code: 2, stderr });
  });
});

function asSetting({ id, key }: { id: string; key: Buffer }): string {
  return `${id}:${key.toString('base64')}`;
}
