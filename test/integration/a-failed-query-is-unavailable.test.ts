import { randomUUID } from 'node:crypto';
import type { DataConverter, Payload } from '@temporalio/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { viewQuery } from '../../src/contract/reservation.js';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import { queryTemporal } from '../../src/temporal/client/query.js';
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { TestReservation } from '../support/reservations.js';
import { createTestWorker } from '../support/test-worker.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer(testDataConverter);
});
afterAll(() => engine?.stop());

const newReservation = (id: number) =>
  new TestReservation(engine.client, async () => Date.now(), `failed-query-${randomUUID()}`, id);

/** Under a worker of its own, which has none of its workflows in memory. */
async function whileWorking<T>(taskQueue: string, use: () => Promise<T>, dataConverter: DataConverter) {
  const { nativeConnection: connection, namespace } = engine;
  const activities = new FakePlatform().activities();
  const worker = await createTestWorker({ connection, namespace, taskQueue, activities, dataConverter });
  return worker.runUntil(use);
}

it('a read whose worker cannot decrypt the history is answered as unavailable, and works again once it can', async () => {
  const rental = newReservation(1);
  const { taskQueue } = rental;
  const { workflowId } = rental.handle;
  const read = () => queryTemporal<ReservationView>(engine.client, 25_000, { workflowId, name: viewQuery });
  const isQuiet = async () => (await rental.handle.describe()).raw.pendingWorkflowTask == null;
  const begin = async () => {
    await rental.deliver(rental.event({ status: 5 }));
    // a query beside a task that fails again and again waits with it
    await eventually('no task is pending', isQuiet);
  };
  await whileWorking(taskQueue, begin, testDataConverter);
  const silent = async (): Promise<never> => {
    throw new Error('the key store gave no answer');
  };
  const keyless = {
    ...testDataConverter,
    payloadCodecs: [{ encode: async (all: Payload[]) => all, decode: silent }],
  };
  const failed = { name: 'EngineUnavailableError', code: 'QUERY_FAILED' };
  await whileWorking(taskQueue, () => expect(read()).rejects.toMatchObject(failed), keyless);
  const view = { reservationId: 1 };
  await whileWorking(taskQueue, () => expect(read()).resolves.toMatchObject(view), testDataConverter);
});
