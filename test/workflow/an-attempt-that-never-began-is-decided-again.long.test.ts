import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScanWorker } from '../../src/temporal/worker/worker.js';
import { timeSkippingEnv, workflowBundle } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import {
  car,
  company,
  hour,
  minute,
  skippingEarlierSteps,
  TestReservation,
} from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

it('L20, L30: an attempt that no worker starts within 15 s is not sent later, but decided again', async () => {
  const platform = new FakePlatform();
  const taskQueue = `attempts-${randomUUID()}`;
  const shared = {
    connection: env.nativeConnection,
    namespace: 'default',
    taskQueue,
    activities: platform.activities(),
  };
  // workflow tasks and rows alone: no activity of the queue is begun
  const workflows = await Worker.create({
    ...shared,
    workflowBundle: workflowBundle(),
    enableNonLocalActivities: false,
  });
  const activities = await createScanWorker({ ...shared, perSecond: 1_000, shutdownGraceMs: 1_000 });
  await workflows.runUntil(async () => {
    const now = await env.currentTimeMs();
    const period = { start: now + 2 * hour, end: now + 12 * hour };
    const [stays, cancelled] = [1, 2].map(
      (id) => new TestReservation(env.client, () => env.currentTimeMs(), taskQueue, id),
    ) as [TestReservation, TestReservation];
    const both = [stays, cancelled];
    const at = (rental: TestReservation, status: number) =>
      rental.deliver(rental.event({ status, period, car, company }));
    for (const rental of both) await at(rental, 5);
    const actions = both.map((rental) => rental.sendAction('dispatch.start', skippingEarlierSteps));
    await eventually('both are out', async () => {
      const views = await Promise.all(both.map((rental) => rental.view()));
      return views.every(({ commands }) => commands.length === 1);
    });
    for (const { command } of await Promise.all(actions)) {
      expect(command).toMatchObject({ outcome: 'waiting', code: 'NOT_STARTED', attempts: 0 });
    }
    await at(cancelled, 40);
    await activities.runUntil(async () => {
      await env.sleep(5 * minute);
      const isApplied = async () => (await stays.view()).commands[0]?.outcome === 'applied';
      await eventually('the one that stays is sent', isApplied);
      expect((await cancelled.view()).commands[0]).toMatchObject({ outcome: 'rejected' });
      expect(platform.attempts.map(({ attempt }) => attempt.reservationId)).toEqual([stays.id]);
      for (const { handle } of both) await handle.terminate('the test is over');
    });
  });
}, 90_000);
