import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reservationWorkflow, reservationWorkflowId, taskQueue } from '../../src/contract/names.js';
import { viewQuery } from '../../src/contract/reservation.js';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import { queryTemporal } from '../../src/temporal/client/query.js';
import { temporalReservations } from '../../src/temporal/client/reservations/reservations.js';
import { hasWaitingEvents } from '../../src/temporal/client/reservations/waiting-events.js';
import { replayHistories } from '../../src/temporal/worker/replay.js';
import { testDataConverter } from '../support/codec.js';
import { WorkerProcess } from '../support/crash/worker-process.js';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { policy, TestReservation } from '../support/reservations.js';
import { createTestWorker } from '../support/test-worker.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer(testDataConverter);
});
afterAll(() => engine?.stop());

const ids = Array.from({ length: 10 }, (_, index) => index + 1);
const read = (id: number) =>
  queryTemporal<ReservationView>(engine.client, 25_000, {
    workflowId: reservationWorkflowId(id),
    name: viewQuery,
  });

/** Answers a first event of each reservation, and is killed: their next tasks and queries wait for it. */
async function workThatEnds(rentals: TestReservation[]): Promise<void> {
  const { address, namespace } = engine;
  const nothing = async () => {};
  const worker = await WorkerProcess.start(
    {
      address,
      namespace,
      bundle: workflowBundle().codePath,
      platformUrl: 'http://127.0.0.1:1',
      supplierKey: 'none',
      photos: '/nowhere',
      traps: { 'before-request': [], 'after-answer': [] },
    },
    {
      record: nothing,
      recordHold: nothing,
      closeCase: nothing,
      recordAttempt: () => expect.fail('no action'),
    },
  );
  for (const rental of rentals) await rental.deliver(rental.event({ status: 5 }));
  for (const rental of rentals)
    await eventually('no task is pending', async () => {
      const { raw } = await rental.handle.describe();
      return raw.pendingWorkflowTask == null && Number(raw.workflowExecutionInfo?.historyLength) > 4;
    });
  await worker.kill();
}

/** It has none of the runs in memory. */
function nextWorker() {
  const { nativeConnection: connection, namespace } = engine;
  return createTestWorker({
    connection,
    namespace,
    taskQueue,
    dataConverter: testDataConverter,
    activities: new FakePlatform().activities(),
  });
}

/** Why each history does not replay; undefined: it replays. */
async function replays(): Promise<(string | undefined)[]> {
  const histories = engine.client.workflow
    .list({ query: `WorkflowType = "${reservationWorkflow}"` })
    .intoHistories();
  const errors: (string | undefined)[] = [];
  for await (const { error } of replayHistories(workflowBundle(), testDataConverter, histories))
    errors.push(error?.message);
  return errors;
}

it('a worker that reads a reservation between two of its tasks decides as a replay of its history does', async () => {
  const rentals = ids.map((id) => new TestReservation(engine.client, async () => Date.now(), taskQueue, id));
  await workThatEnds(rentals);
  const reads = ids.map((id) => read(id));
  // while the reads wait for the killed worker; a read that comes later waits for the task and proves nothing
  await sleep(1_500);
  for (const rental of rentals) await rental.deliver(rental.event({ status: 10 }));
  expect(await replays(), 'with events that no task contains').toEqual(ids.map(() => undefined));
  const worker = await nextWorker();
  await worker.runUntil(async () => {
    await Promise.race(reads);
    for (const rental of rentals) await rental.deliver(rental.event({ status: 35 }));
    for (const view of await Promise.all(reads))
      expect(view).toMatchObject({ reservationId: expect.any(Number) });
    for (const id of ids)
      await eventually('the last event is applied', async () => (await read(id))?.status.code === 35);
  });
  expect(await replays()).toEqual(ids.map(() => undefined));
}, 120_000);

it('a read and an action of a reservation that was ended with events waiting state that it was ended', async () => {
  const [rental, without] = [11, 12].map(
    (id) => new TestReservation(engine.client, async () => Date.now(), taskQueue, id),
  ) as [TestReservation, TestReservation];
  await workThatEnds([rental, without]);
  await rental.deliver(rental.event({ status: 10 }));
  for (const { handle } of [rental, without]) await handle.terminate('by hand');
  expect(await hasWaitingEvents(engine.client, reservationWorkflowId(11), 5_000)).toBe(true);
  expect(await hasWaitingEvents(engine.client, reservationWorkflowId(12), 5_000)).toBe(false);
  const worker = await nextWorker();
  const none = async () => undefined;
  const reservations = temporalReservations(engine.client, {
    policy,
    cases: { view: none, decisionMarks: async () => [] },
    inbox: { read: async () => ({ waiting: false, sent: false, dead: false, recorded: true }) },
    wakeRelay: () => {},
  });
  const ended = { name: 'ReservationEndedError', code: 'WORKFLOW_TERMINATED' };
  const start = { commandId: 'k-11', action: 'dispatch.start' as const, by: 'kim', body: {} };
  await worker.runUntil(async () => {
    await expect(reservations.view(11)).rejects.toMatchObject(ended);
    await expect(reservations.performAction(11, start)).rejects.toMatchObject(ended);
  });
}, 60_000);
