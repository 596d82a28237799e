import { randomUUID } from 'node:crypto';
import type { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { connectWorker } from '../../src/temporal/connection/connection.js';
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { TestReservation } from '../support/reservations.js';
import { createWorker } from '../support/whole-worker.js';

const perSecond = 4;
const calls = 24;

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer(testDataConverter);
});
afterAll(() => engine?.stop());

it('two workers together start as many calls in a second as the platform allows, and no more', async () => {
  const taskQueue = `rate-${randomUUID()}`;
  const starts: number[] = [];
  const platform = new FakePlatform();
  const activities = {
    ...platform.activities(),
    dispatchStaff: async () => {
      starts.push(performance.now());
      return { kind: 'accepted' };
    },
  };
  const { namespace } = engine;
  // the SDK takes one worker of a queue for each connection
  const other = await connectWorker(engine.target);
  onTestFinished(() => other.close());
  const workerOn = (connection: NativeConnection) =>
    createWorker({
      connection,
      namespace,
      taskQueue,
      activities,
      bundle: workflowBundle(),
      dataConverter: testDataConverter,
      shutdownGraceMs: 1_000,
      perSecond,
    });
  const first = await workerOn(engine.nativeConnection);
  const second = await workerOn(other);
  await first.runUntil(() =>
    second.runUntil(async () => {
      const rentals = Array.from(
        { length: calls },
        (_, index) => new TestReservation(engine.client, async () => Date.now(), taskQueue, index + 1),
      );
      await Promise.all(rentals.map((rental) => rental.deliver(rental.event({ status: 5 }))));
      const sent = rentals.map((rental) => rental.sendAction('dispatch.staff').catch(() => undefined));
      await eventually('all have begun', () => starts.length === calls, 60_000);
      await Promise.all(sent);
    }),
  );
  const seconds = ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / 1_000;
  // the server lets a burst of one second pass
  expect(seconds).toBeGreaterThan((calls - perSecond) / perSecond - 1);
  expect(seconds).toBeLessThan((calls / perSecond) * 3);
});
