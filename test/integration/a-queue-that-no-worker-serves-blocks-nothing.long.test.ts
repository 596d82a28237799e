import { randomUUID } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommandAudit } from '../../src/contract/audit.js';
import { carWriteWorkflowId } from '../../src/contract/car-write.js';
import { databaseQueueOf } from '../../src/contract/names.js';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { TestReservation } from '../support/reservations.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

it.concurrent('our own database work runs on the queue of workflows where workers of the release before serve that one alone', async () => {
  const world = createWorld();
  const worker = await world.worker(world.taskQueue);
  await worker.runUntil(world.write());
  expect(world.queues).toEqual([world.taskQueue]);
});

it.concurrent('our own database work waits on its queue where that is full for more than 30 s', async () => {
  const world = createWorld();
  const own = databaseQueueOf(world.taskQueue);
  const [worker, late] = [await world.worker(world.taskQueue), await world.worker(own)];
  await worker.runUntil(async () => {
    const written = world.write();
    await eventually(
      'its first start timed out',
      async () => (await world.events()).some((one) => one.activityTaskTimedOutEventAttributes != null),
      60_000,
      500,
    );
    await late.runUntil(written);
  });
  expect(world.queues).toEqual([own]);
});

/** A write on a car, whose audit is our own database work. */
function createWorld() {
  const taskQueue = `served-${randomUUID()}`;
  const platform = new FakePlatform();
  const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, 1);
  const commandId = randomUUID();
  /** On which queue each audit ran. */
  const queues: string[] = [];
  const { audit, ...activities } = platform.activities();
  return {
    taskQueue,
    queues,
    worker: (queue: string) =>
      Worker.create({
        connection: engine.nativeConnection,
        namespace: engine.namespace,
        taskQueue: queue,
        ...(queue === taskQueue && { workflowBundle: workflowBundle() }),
        activities: {
          ...activities,
          audit: (entry: CommandAudit) => {
            queues.push(activityInfo().taskQueue);
            return audit(entry);
          },
        },
      }),
    async write() {
      const write = { kind: 'memo', carId: 1001, content: 'new tyres' } as const;
      expect(await rental.writeOnCar({ commandId, by: 'kim', write })).toEqual({
        outcome: 'applied',
        memoId: 1,
      });
    },
    async events() {
      const run = engine.client.workflow.getHandle(carWriteWorkflowId(commandId));
      const history = await run.fetchHistory().catch(() => undefined); // it does not exist yet
      return history?.events ?? [];
    },
  };
}
