import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { replaceWorkflowThread } from '../../src/temporal/worker/workflow-thread.js';
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { TestReservation } from '../support/reservations.js';
import { createTestWorker } from '../support/test-worker.js';

const log = { warn: vi.fn() };
let engine: TestDevServer;
beforeAll(async () => {
  // in a thread of their own, as in the product: on the main thread other files have made the sandbox that all share
  vi.stubEnv('TEMPORAL_DEBUG', undefined);
  engine = await devServer(testDataConverter);
});
afterEach(() => {
  replaceWorkflowThread({ log });
  expect(log.warn).not.toHaveBeenCalled();
});
afterAll(() => {
  vi.unstubAllEnvs();
  return engine?.stop();
});

const newReservation = (id: number) =>
  new TestReservation(engine.client, async () => Date.now(), `temporal-ui-${randomUUID()}`, id);

/** Under a worker of its own, which has none of its workflows in memory. */
async function whileWorking<T>({ taskQueue }: TestReservation, use: () => Promise<T>): Promise<T> {
  const { nativeConnection: connection, namespace } = engine;
  const activities = new FakePlatform().activities();
  const options = { connection, namespace, taskQueue, activities, dataConverter: testDataConverter };
  return (await createTestWorker(options)).runUntil(use);
}

async function detailsOf(handle: WorkflowHandle): Promise<string> {
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
}

it('current details follow every event and action, and are the same after a replay', async () => {
  const rental = newReservation(1);
  const details = await whileWorking(rental, async () => {
    await rental.deliver(rental.event({ status: 5 }));
    expect(await detailsOf(rental.handle)).toContain('**5 ');
    await rental.sendAction('dispatch.staff');
    expect(await detailsOf(rental.handle)).toMatch(/^- .+: applied$/m);
    await rental.deliver(rental.event({ status: 10 }));
    expect(await detailsOf(rental.handle)).toContain('**10 ');
    return detailsOf(rental.handle);
  });
  expect(await whileWorking(rental, () => detailsOf(rental.handle))).toBe(details);
});

it('without the setting the query for the call stack is refused', async () => {
  const rental = newReservation(2);
  await whileWorking(rental, async () => {
    await rental.deliver(rental.event({ status: 5 }));
    // its text is encrypted
    await expect(rental.handle.query('__stack_trace')).rejects.toThrow('Encoded failure');
  });
});

it('with the setting the call stack names the places in workflow code that wait', async () => {
  replaceWorkflowThread({ log, stackTraces: true });
  const rental = newReservation(3);
  await whileWorking(rental, async () => {
    await rental.deliver(rental.event({ status: 5 }));
    const stack = await rental.handle.query<string>('__stack_trace');
    expect(stack).toMatch(/runUntilClosed .+workflows.reservation.workflow\.ts:\d+:\d+/);
  });
});
