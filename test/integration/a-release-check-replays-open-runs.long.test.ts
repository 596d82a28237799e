import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { bundleWorkflows } from '../../src/temporal/worker/bundle.js';
import { checkOpenRuns } from '../../src/tools/release/check/check.js';
import type { ReminderActivities } from '../replay/worked-example/activities.js';
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { TestReservation } from '../support/reservations.js';
import { createTestWorker } from '../support/test-worker.js';

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
    ...{ connection, namespace, taskQueue, dataConverter: testDataConverter },
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
  });
  expect((await checkOpenRuns(temporal(), { bundle, query, sample: 2 })).types).toEqual([
    { type: 'reservation', open: 3, replayed: 2 },
  ]);
  const otherKey = encryptingDataConverter([{ id: 'other', key: Buffer.alloc(32, 7) }]);
  const { breaks } = await checkOpenRuns(
    { client: engine.client, dataConverter: otherKey },
    { bundle, query, sample: 1 },
  );
  expect(breaks).toHaveLength(1);
  expect(breaks[0]?.reason).not.toContain('A Person');
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
    ...{ connection, namespace, taskQueue, workflowBundle: before, activities },
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
