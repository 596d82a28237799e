import { randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { TestReservation } from '../support/reservations.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

it('our own database work runs on the queue of workflows where workers of the release before serve that one alone', async () => {
  const taskQueue = `served-${randomUUID()}`;
  const platform = new FakePlatform();
  const worker = await Worker.create({
    connection: engine.nativeConnection,
    namespace: engine.namespace,
    taskQueue,
    workflowBundle: workflowBundle(),
    activities: platform.activities(),
  });
  const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, 1);
  const write = { kind: 'memo', carId: 1001, content: 'new tyres' } as const;
  const written = await worker.runUntil(rental.writeOnCar({ commandId: randomUUID(), by: 'kim', write }));
  expect(written).toEqual({ outcome: 'applied', memoId: 1 });
  expect(platform.audits).toHaveLength(1);
});
