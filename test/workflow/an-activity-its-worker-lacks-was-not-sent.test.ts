import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CarWriteStart, carWriteWorkflow, carWriteWorkflowId } from '../../src/contract/car-write.js';
import { bookingWorkflow, bookingWorkflowId } from '../../src/contract/names.js';
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, TestReservation } from '../support/reservations.js';
import { order } from '../support/stories.js';
import { createTestWorker } from '../support/test-worker.js';
import { actUnsent } from '../support/unsent-action.js';

// with a codec, as in the product: the text of an error reaches the workflow encrypted
let env: TestDevServer;
beforeAll(async () => {
  env = await devServer(testDataConverter);
});
afterAll(() => env?.stop());

/** How the SDK's worker answers for an activity that it does not have. */
async function wasLacking(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<boolean> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).some(
    ({ activityTaskFailedEventAttributes: failed }) =>
      failed?.failure?.applicationFailureInfo?.type === 'NotFoundError',
  );
}

it('L20, L30: a request whose worker lacks the activity was not sent: it waits, and a worker that has it sends it once', async () => {
  const { client, nativeConnection: connection, namespace } = env;
  const platform = new FakePlatform();
  const taskQueue = `releases-${randomUUID()}`;
  const newer = platform.activities();
  const { dispatchStart: _, setSaleStatus: __, book: ___, ...older } = newer;
  const whileRunning = async (activities: object, play: () => Promise<void>) => {
    const dataConverter = testDataConverter;
    const worker = await createTestWorker({ connection, namespace, taskQueue, dataConverter, activities });
    await worker.runUntil(play);
  };
  const rental = new TestReservation(client, async () => Date.now(), taskQueue, 1);
  const { startAt: pickupAt, endAt: returnAt } = order.request;
  const booked = { status: 'CONFIRMED', carNumber: car.number, pickupAt, returnAt };
  platform.bookings.push({ outcome: 'applied', reservationId: 2, ...booked });
  platform.cars.sale.set(`301/${car.id}`, 'Y');
  const write: CarWriteStart = {
    commandId: 'sale',
    by: 'staff-1',
    write: { kind: 'sale-status', productId: 301, carId: car.id, saleYn: 'N', reason: 'a dent' },
  };
  const others = await Promise.all([
    client.workflow.start(bookingWorkflow, {
      workflowId: bookingWorkflowId(order.commandId),
      taskQueue,
      args: [order],
    }),
    client.workflow.start(carWriteWorkflow, {
      workflowId: carWriteWorkflowId(write.commandId),
      taskQueue,
      args: [write],
    }),
  ]);
  const settings = () => platform.cars.calls.filter((call) => call === 'setSaleStatus');

  await whileRunning(older, async () => {
    await actUnsent(rental);
    for (const handle of [rental.handle, ...others])
      await eventually(`${handle.workflowId} lacks its activity`, () => wasLacking(handle), 20_000, 50);
  });
  expect([platform.attempts, platform.bookings.length, settings()]).toEqual([[], 1, []]);

  await whileRunning(newer, async () => {
    for (const handle of others) expect(await handle.result()).toMatchObject({ outcome: 'applied' });
    const isApplied = async () => (await rental.view()).commands[0]?.outcome === 'applied';
    await eventually('the command is applied', isApplied, 30_000);
    expect([platform.attempts.length, platform.bookings.length, settings().length]).toEqual([1, 0, 1]);
    // nothing recorded the attempt that was not begun, so another run may have sent it under the same id
    expect(platform.attempts[0]?.attempt.id?.attempt).toBe('1.0');
    await rental.handle.terminate('the test is over');
  });
}, 90_000);
