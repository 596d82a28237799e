import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Activities } from '../../src/contract/activities.js';
import type { ActionAttempt } from '../../src/contract/attempt.js';
import type { BookingResult, BookingStart } from '../../src/contract/booking.js';
import { type CarWriteResult, carWriteWorkflow, carWriteWorkflowId } from '../../src/contract/car-write.js';
import { bookingWorkflow, bookingWorkflowId, reservationWorkflow } from '../../src/contract/names.js';
import { startOptions } from '../../src/contract/reservation.js';
import { timeSkippingEnv, workflowBundle } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import {
  car,
  company,
  hour,
  minute,
  policy,
  refusalOf,
  skippingEarlierSteps,
  TestReservation,
} from '../support/reservations.js';
import { releaseLostTimeLocks } from '../support/skipped-time.js';
import { createWorker } from '../support/whole-worker.js';

const second = 1_000;
let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

/** Activities of which some are failed by an operator, each as often as the test says. */
class FailingPlatform extends FakePlatform {
  readonly failures = new Map<keyof Activities, number>();
  /** Its worker is of a release that does not know this one. */
  lacks: keyof Activities | undefined;

  override activities(): Activities {
    const activities = Object.entries(super.activities()).map(([name, act]) => [
      name,
      async (...args: never[]) => {
        const left = this.failures.get(name as keyof Activities) ?? 0;
        if (left > 0) {
          this.failures.set(name as keyof Activities, left - 1);
          throw ApplicationFailure.nonRetryable('failed by hand');
        }
        return (act as (...args: never[]) => Promise<unknown>)(...args);
      },
    ]);
    return Object.fromEntries(activities.filter(([name]) => name !== this.lacks));
  }
}

let reservations = Math.floor(Math.random() * 1_000_000) * 1_000;
/** A task queue with its workers, each there only while the test says so. */
class Queue {
  readonly name = `attempts-${randomUUID()}`;
  readonly platform = new FailingPlatform();
  private readonly stops: (() => Promise<void>)[] = [];
  private readonly ids: string[] = [];

  async startAll(): Promise<void> {
    const worker = await createWorker({
      connection: env.nativeConnection,
      namespace: 'default',
      taskQueue: this.name,
      bundle: workflowBundle(),
      activities: this.platform.activities(),
      shutdownGraceMs: second,
    });
    const running = worker.run();
    this.stops.push(async () => {
      worker.shutdown();
      await running;
    });
  }
  reservation(): TestReservation {
    reservations += 1;
    const rental = new TestReservation(env.client, () => env.currentTimeMs(), this.name, reservations);
    this.ids.push(rental.handle.workflowId);
    return rental;
  }
  /** @param lateMs how late its first task is */
  async start(type: string, workflowId: string, input: object, lateMs = 0): Promise<void> {
    this.ids.push(workflowId);
    await env.client.workflow.start(type, {
      workflowId,
      taskQueue: this.name,
      args: [input],
      ...(lateMs > 0 && { startDelay: lateMs }),
    });
  }
  async stop(): Promise<void> {
    for (const id of this.ids) {
      await env.client.workflow
        .getHandle(id)
        .terminate('the test is over')
        .catch(() => {});
    }
    for (const stop of this.stops) await stop();
    await releaseLostTimeLocks(env);
  }
}

async function onAQueue(test: (queue: Queue) => Promise<void>): Promise<void> {
  const queue = new Queue();
  try {
    await test(queue);
  } finally {
    await queue.stop();
  }
}

/** At 5, in two hours. */
async function registered(queue: Queue) {
  const rental = queue.reservation();
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  const at = (status: number) => rental.deliver(rental.event({ status, period, car, company }));
  await at(5);
  return { rental, at };
}

describe('a request that no worker begins', () => {
  it('L20, L30: is held back, and decided again before it is sent', () =>
    onAQueue(async (queue) => {
      await queue.startAll();
      const [stays, cancelled] = [await registered(queue), await registered(queue)];
      for (const { rental, at } of [stays, cancelled]) {
        queue.platform.answers.push({ kind: 'wait', code: 'NOT_STARTED' });
        const { command } = await rental.sendAction('dispatch.start', skippingEarlierSteps);
        expect(command).toMatchObject({ outcome: 'waiting', code: 'NOT_STARTED', attempts: 0 });
        if (rental === cancelled.rental) await at(40);
      }
      await env.sleep(minute);
      await eventually('the one that stays is sent', async () => {
        const [command] = (await stays.rental.view()).commands;
        return command?.outcome === 'applied';
      });
      expect((await cancelled.rental.view()).commands[0]).toMatchObject({ outcome: 'rejected' });
      const ids = queue.platform.attempts.map(({ attempt: { reservationId, id } }) => [
        reservationId,
        id?.attempt,
      ]);
      expect(ids).toEqual([
        [stays.rental.id, '1.0'],
        [cancelled.rental.id, '1.0'],
        [stays.rental.id, '1.0'],
      ]);
    }));

  it('L30: is held back where its worker does not know it, as one of the release before', () =>
    onAQueue(async (queue) => {
      queue.platform.lacks = 'dispatchStart';
      await queue.startAll();
      const { rental } = await registered(queue);
      const { command } = await rental.sendAction('dispatch.start', skippingEarlierSteps);
      expect(command).toMatchObject({ outcome: 'waiting', code: 'NOT_STARTED', attempts: 0 });
    }));

  it('F22: a write on a car ends as rejected, and is not made when a worker comes', () =>
    onAQueue(async (queue) => {
      const workflowId = carWriteWorkflowId(randomUUID());
      const write = { kind: 'memo', carId: 1, content: 'new tyres' };
      await queue.startAll();
      await queue.start(carWriteWorkflow, workflowId, { commandId: 'late', by: 'kim', write }, 3 * minute);
      const handle = env.client.workflow.getHandle<() => Promise<CarWriteResult>>(workflowId);
      expect(await handle.result()).toMatchObject({ outcome: 'rejected', code: 'NOT_STARTED' });
      expect(queue.platform.cars.memos).toEqual([]);
      expect(queue.platform.audits).toMatchObject([{ data: { outcome: 'rejected', code: 'NOT_STARTED' } }]);
    }));
});

const booking: BookingStart = {
  commandId: 'late',
  by: 'channel-1',
  request: {
    productId: 7,
    startAt: Date.UTC(2027, 0, 1),
    endAt: Date.UTC(2027, 0, 2),
    pickupAddress: 'Station exit 3',
    driver: { name: 'A Person', birth: '19900101', phone: '010', licenseNumber: '11', address: 'A Street 1' },
  },
};
const resultOf = (workflowId: string) =>
  env.client.workflow.getHandle<() => Promise<BookingResult>>(workflowId).result();

describe('a booking', () => {
  it('F30: that no worker begins within a minute of its command is rejected, and never sent', () =>
    onAQueue(async (queue) => {
      const workflowId = bookingWorkflowId(randomUUID());
      await queue.startAll();
      await queue.start(bookingWorkflow, workflowId, booking, minute + second);
      queue.platform.bookings.push({ outcome: 'rejected', code: 'SENT', message: '' });
      expect(await resultOf(workflowId)).toMatchObject({ outcome: 'rejected', code: 'BOOKING_NOT_SENT' });
      expect(queue.platform.bookingStore.settlements).toMatchObject([{ end: { code: 'BOOKING_NOT_SENT' } }]);
      expect(queue.platform.bookings).toHaveLength(1);
    }));

  it('F30: counts the minute from its command, not from its first task', () =>
    onAQueue(async (queue) => {
      const workflowId = bookingWorkflowId(randomUUID());
      const busy = { outcome: 'wait', code: 'RATE_LIMITED', retryAfterMs: 15 * second } as const;
      queue.platform.bookings.push(busy, { outcome: 'rejected', code: 'SENT', message: '' });
      await queue.startAll();
      await queue.start(bookingWorkflow, workflowId, booking, 50 * second);
      expect(await resultOf(workflowId)).toMatchObject({ outcome: 'rejected', code: 'RATE_LIMITED' });
      expect(queue.platform.bookings).toHaveLength(1);
    }));

  it.each([
    ['by no other run is rejected', false, { outcome: 'rejected', code: 'BOOKING_NOT_KEPT' }],
    ['by another run may have been sent: it is unknown', true, { outcome: 'unknown', code: 'RUN_LOST' }],
  ])('F30: that no attempt could store within a minute, and that was stored %s', (_, areOfAnotherRun, end) =>
    onAQueue(async (queue) => {
      const workflowId = bookingWorkflowId(randomUUID());
      const { bookings, bookingStore } = queue.platform;
      const attempts = 20;
      for (let each = 0; each < attempts; each++)
        bookings.push({ outcome: 'wait', code: 'BOOKING_NOT_KEPT' });
      bookingStore.areOfAnotherRun = areOfAnotherRun;
      // the other run has resolved it
      if (areOfAnotherRun) bookingStore.sightings.push({ kind: 'settled' });
      await queue.startAll();
      await queue.start(bookingWorkflow, workflowId, booking);
      expect(await resultOf(workflowId)).toMatchObject(end);
      expect(bookings.length).toBeLessThan(attempts - 2);
      expect(bookingStore.settlements).toHaveLength(areOfAnotherRun ? 0 : 1);
    }),
  );

  it('is stored although an operator failed the activity that stores it', () =>
    onAQueue(async (queue) => {
      const workflowId = bookingWorkflowId(randomUUID());
      queue.platform.failures.set('keepBooking', 2);
      await queue.startAll();
      await queue.start(bookingWorkflow, workflowId, booking, minute + second);
      expect(await resultOf(workflowId)).toMatchObject({ outcome: 'rejected', code: 'BOOKING_NOT_SENT' });
      expect(queue.platform.failures.get('keepBooking')).toBe(0);
    }));
});

describe('an activity that an operator fails or completes', () => {
  it('L24: leaves the attempt unknown, and the reservation continues', () =>
    onAQueue(async (queue) => {
      await queue.startAll();
      const { rental } = await registered(queue);
      queue.platform.failures.set('dispatchStaff', 1);
      const { command } = await rental.sendAction('dispatch.staff');
      expect(command).toMatchObject({ outcome: 'unknown', code: 'ATTEMPT_FAILED' });
      for (const result of [null, 'done', { kind: 'whatever' }]) {
        queue.platform.answers.push(async () => result as ActionAttempt);
        const { command } = await rental.sendAction('dispatch.staff');
        expect(command).toMatchObject({ outcome: 'unknown', code: 'ATTEMPT_FAILED' });
      }
      expect((await rental.sendAction('dispatch.staff')).command.outcome).toBe('applied');
    }));

  it('L30: does not prevent the report of a refused key, and the reservation continues', () =>
    onAQueue(async (queue) => {
      await queue.startAll();
      const { rental } = await registered(queue);
      queue.platform.failures.set('suspendRole', 2);
      queue.platform.answers.push({ kind: 'suspended', code: 'UNAUTHORIZED' });
      expect((await rental.sendAction('dispatch.staff')).command.outcome).toBe('suspended');
      expect((await rental.sendAction('dispatch.staff')).command.outcome).toBe('applied');
      await env.sleep(10 * second);
      await eventually('the role knows', () => queue.platform.suspensions.length === 1);
    }));

  it('F58: does not prevent the audit entry of a recall’s note', () =>
    onAQueue(async (queue) => {
      await queue.startAll();
      const { rental, at } = await registered(queue);
      await at(30);
      queue.platform.failures.set('audit', 1);
      const recall = { ...skippingEarlierSteps, body: { note: 'a scratch' } };
      expect((await rental.sendAction('recall.complete', recall)).command.outcome).toBe('applied');
      await eventually('the note is written', () => queue.platform.cars.memos.length === 1);
      expect((await rental.view()).status.code).toBe(35);
      await env.sleep(10 * second);
      await eventually('the audit has it', () => queue.platform.audits.length === 1);
    }));
});

it('L21: a run whose first event was lost refuses commands after seconds, and accepts them once an event comes', () =>
  onAQueue(async (queue) => {
    await queue.startAll();
    const rental = queue.reservation();
    await env.client.workflow.start(
      reservationWorkflow,
      startOptions({ reservationId: rental.id, policy }, queue.name),
    );
    const first = refusalOf(rental.sendAction('dispatch.staff'));
    await env.sleep(10 * second);
    expect(await first).toMatchObject({ code: 'RESERVATION_NOT_FOUND' });
    expect(await refusalOf(rental.sendAction('dispatch.staff'))).toMatchObject({
      code: 'RESERVATION_NOT_FOUND',
    });
    const now = await env.currentTimeMs();
    const period = { start: now + 2 * hour, end: now + 12 * hour };
    await rental.deliver(rental.event({ status: 5, period, car, company }));
    expect((await rental.sendAction('dispatch.staff')).command.outcome).toBe('applied');
  }));
