import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, it } from 'vitest';
import { reservationWorkflowId, taskQueue } from '../../src/contract/names.js';
import { viewQuery } from '../../src/contract/reservation.js';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import { queryTemporal } from '../../src/temporal/client/query.js';
import { connectWorker } from '../../src/temporal/connection/connection.js';
import { SupervisedWorkers } from '../../src/temporal/worker/supervised-workers.js';
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { lostTasks } from '../support/engine-log.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { TestReservation } from '../support/reservations.js';
import { createTestWorker } from '../support/test-worker.js';

/** Longest time in which the SDK is to lose a task. */
const mostMs = 60_000;

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer(testDataConverter);
});
afterAll(() => engine?.stop());

/** Workers that keep few reservations in memory. */
function fewInMemory(): SupervisedWorkers {
  const { namespace, target } = engine;
  const activities = new FakePlatform().activities();
  return new SupervisedWorkers({
    connected: async () => {},
    connect: () => connectWorker(target),
    create: async (connection) => ({
      worker: await createTestWorker({
        connection,
        namespace,
        taskQueue,
        dataConverter: testDataConverter,
        activities,
        maxCachedWorkflows: 10,
      }),
    }),
    log: pino({ level: 'silent' }),
    replacement: { firstMs: 0, longestMs: 0 },
  });
}

const read = (id: number) =>
  queryTemporal<ReservationView>(engine.client, 10_000, {
    workflowId: reservationWorkflowId(id),
    name: viewQuery,
  });

it('a worker whose task the SDK has lost is replaced, and every reservation continues', async ({ skip }) => {
  const workers = fewInMemory();
  workers.start();
  await workers.running();
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  const rentals = ids.map((id) => new TestReservation(engine.client, async () => Date.now(), taskQueue, id));
  const until = Date.now() + mostMs;
  const continues = () => lostTasks() === 0 && Date.now() < until;
  // a read of a reservation that is not in memory, and then an event for it: both wait for a place
  const meet = async (rental: TestReservation, id: number) => {
    await rental.deliver(rental.event({ status: 5 }));
    while (continues()) {
      await sleep(Math.random() * 300);
      const reading = read(id).catch(() => {});
      await sleep(Math.random() * 30);
      await rental.deliver(rental.event({ status: 5 }));
      await reading;
    }
  };
  await Promise.all(rentals.map((rental, index) => meet(rental, index + 1)));
  if (lostTasks() === 0) skip('the SDK lost no task');
  workers.replace('lossy');
  for (const rental of rentals) await rental.deliver(rental.event({ status: 35 }));
  for (const id of ids)
    await eventually(
      `the last event of reservation ${id} is applied`,
      async () => (await read(id).catch(() => undefined))?.status.code === 35,
      60_000,
    );
  await workers.stop();
}, 300_000);
