import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { BookingStart } from '../../src/contract/booking.js';
import { carWriteWorkflowId } from '../../src/contract/car-write.js';
import { bookingWorkflowId } from '../../src/contract/names.js';
import { rowsReturnedSignal } from '../../src/contract/reservation.js';
import { roleWorkflowId } from '../../src/contract/role.js';
import type { ReservationEvent } from '../../src/domain/reservation/index.js';
import { bookingNotStoredCode } from '../../src/domain/shared/outcome.js';
import { DatabaseOutage } from './database-outage.js';
import { holdStories } from './hold-stories.js';
import { reconciliationStories } from './reconciliation-stories.js';
import {
  car,
  company,
  hour,
  minute,
  policy,
  skippingEarlierSteps,
  type TestReservation,
} from './reservations.js';
import type { Story } from './story.js';
import { GuardedPlatform } from './suspended-role.js';

const short = { ...policy, settleMs: 500, overdueGraceMs: 300, lateLadderMs: [300, 600] };

/**
 * The database refuses rows that were passed directly: they return, and wait with those of the next actions and events. The run
 * begins without an offer of its start.
 */
const rowsReturned: Story = {
  start: { policy: short, direct: false },
  platform: () => new DatabaseOutage(),
  async play(rental, platform) {
    const { database, records } = platform as DatabaseOutage;
    // long before the start: an action that changed attention items would write its rows by an activity
    const fact = facts(rental, 10 * minute, 2 * hour);
    await rental.deliver(fact(5, { channel: 'registration' }));
    await expect.poll(() => records.length, polling).toBe(1);
    database.down = 'refuses';
    await rental.sendAction('dispatch.start', skippingEarlierSteps);
    await rental.deliver(fact(10));
    await expect.poll(async () => (await rental.view()).status.code, polling).toBe(10);
    database.end();
    await rental.deliver(fact(45));
    await rental.handle.result();
    const { events } = await rental.handle.fetchHistory();
    const signals = events?.map((event) => event.workflowExecutionSignaledEventAttributes?.signalName);
    expect(signals).toContain(rowsReturnedSignal);
  },
};

/** What is judged while the platform is slow to answer an action is written before the answer: also where it changes attention items. */
const slowPlatform: Story = {
  start: { policy: short },
  async play(rental, platform) {
    const fact = facts(rental, 10 * minute);
    await rental.deliver(fact(5, { channel: 'registration' }));
    await expect.poll(() => platform.records.length, polling).toBe(1);
    const answer = platform.holdAnswer();
    const action = rental.sendAction('dispatch.start', skippingEarlierSteps);
    await expect.poll(() => platform.attempts.length, polling).toBe(1);
    await sleep(1_200); // the platform is slow from a second on
    const last = fact(45);
    await rental.deliver(fact(10));
    await rental.deliver(last);
    const judged = () => platform.records.flatMap(({ verdicts }) => verdicts.map(({ inboxId }) => inboxId));
    await expect.poll(judged, polling).toContain(last.inboxId);
    answer();
    await action;
    await rental.handle.result();
  },
};

/** Facts of one rental that begins now, or in `beginsInMs`. */
function facts(rental: TestReservation, lengthMs: number, beginsInMs = 0) {
  const start = Date.now() + beginsInMs;
  const period = { start, end: start + lengthMs };
  return (status: number, more: Partial<ReservationEvent> = {}) =>
    rental.event({ status, period, car, company, ...more });
}

async function handOver(rental: TestReservation, fact: ReturnType<typeof facts>): Promise<void> {
  await rental.deliver(fact(5, { channel: 'registration' }));
  await rental.sendAction('dispatch.staff');
  await rental.sendAction('dispatch.start');
  await rental.deliver(fact(10), rental.event({ channel: 'status', status: 10 }));
  await rental.sendAction('dispatch.parkingImage');
  await rental.sendAction('dispatch.carImage');
  await rental.sendAction('dispatch.complete');
  await rental.deliver(fact(15), rental.event({ channel: 'status', status: 15 }));
}

async function recall(rental: TestReservation, fact: ReturnType<typeof facts>): Promise<void> {
  await rental.deliver(fact(30));
  await rental.sendAction('recall.staff');
  await rental.sendAction('recall.carImage');
  await rental.sendAction('recall.complete');
  await rental.deliver(fact(35));
}

const polling = { timeout: 20_000 };

/** A refused key, one alert, and the same action once the key works (L30); operations are notified of attention items. */
const suspended: Story = {
  start: { policy: short },
  platform: (client) => new GuardedPlatform(client, { probeMs: 300, historyEventsPerRun: 4_000 }),
  async play(rental, platform) {
    const guarded = platform as GuardedPlatform;
    const fact = facts(rental, 10 * minute);
    await rental.deliver(fact(5, { channel: 'registration' }));
    guarded.refusal = () => 'UNAUTHORIZED';
    await rental.sendAction('dispatch.start', skippingEarlierSteps);
    await expect.poll(() => guarded.probes.length, polling).toBeGreaterThan(2);
    guarded.refusal = () => undefined;
    await expect.poll(async () => (await rental.view()).commands[0]?.outcome, polling).toBe('applied');
    await rental.deliver(fact(45));
    await rental.handle.result();
    await guarded.roleEnds('supplier');
  },
};

export const order: BookingStart = {
  commandId: 'golden',
  by: 'channel-1',
  request: {
    productId: 7,
    startAt: Date.UTC(2026, 10, 22),
    endAt: Date.UTC(2026, 10, 23),
    pickupAddress: 'Station exit 3',
    driver: {
      name: 'A Person',
      birth: '19900101',
      phone: '01000000001',
      licenseNumber: '11-22-333333-44',
      address: 'A Street 1',
    },
  },
};

const lostOrder: BookingStart = { ...order, commandId: 'golden-lost', matchMs: minute };
const lateOrder: BookingStart = { ...order, commandId: 'golden-late' };
const unclearOrder: BookingStart = { ...lostOrder, commandId: 'golden-unclear' };

export const stories: Record<string, Story> = {
  ...holdStories,
  ...reconciliationStories,
  'rows-returned': rowsReturned,
  'slow-platform': slowPlatform,
  /** Asked to wait, then booked. */
  booking: {
    workflowId: bookingWorkflowId(order.commandId),
    async play(rental, platform) {
      const { startAt: pickupAt, endAt: returnAt } = order.request;
      platform.bookings.push(
        { outcome: 'wait', code: 'RATE_LIMITED', retryAfterMs: 100 },
        {
          outcome: 'applied',
          reservationId: rental.id,
          status: 'CONFIRMED',
          carNumber: car.number,
          pickupAt,
          returnAt,
        },
      );
      expect(await rental.book(order)).toMatchObject({ outcome: 'applied' });
    },
  },
  /** Asked to wait, sent in vain, read back, and set. */
  'sale-status': {
    workflowId: carWriteWorkflowId('golden-sale'),
    async play(rental, { cars }) {
      cars.sale.set('301/1001', 'Y');
      cars.writes.push(
        { kind: 'wait', code: 'RATE_LIMITED', retryAfterMs: 100 },
        { kind: 'unknown', code: 'TIMEOUT' },
      );
      const place = { productId: 301, carId: 1001 };
      const write = { kind: 'sale-status', ...place, saleYn: 'N', reason: 'a dent' } as const;
      const start = { commandId: 'golden-sale', by: 'staff-1', write };
      expect(await rental.writeOnCar(start)).toMatchObject({ outcome: 'applied' });
    },
  },
  /** Written, and its answer lost. */
  'car-memo': {
    workflowId: carWriteWorkflowId('golden-memo'),
    async play(rental, { cars }) {
      cars.writes.push({ kind: 'lost' });
      const write = { kind: 'memo', carId: 1001, content: 'new tyres' } as const;
      const start = { commandId: 'golden-memo', by: 'staff-1', write };
      expect(await rental.writeOnCar(start)).toMatchObject({ outcome: 'applied' });
    },
  },
  /** The database does not store it at first; then it is sent. */
  'booking-stored-late': {
    workflowId: bookingWorkflowId(lateOrder.commandId),
    async play(rental, platform) {
      const { startAt: pickupAt, endAt: returnAt } = lateOrder.request;
      const end = { status: 'CONFIRMED', carNumber: car.number, pickupAt, returnAt };
      platform.bookings.push(
        { outcome: 'wait', code: bookingNotStoredCode, retryAfterMs: 100 },
        { outcome: 'applied', reservationId: rental.id, ...end },
      );
      expect(await rental.book(lateOrder)).toMatchObject({ outcome: 'applied' });
    },
  },
  /** Its answer gets lost, and the second look finds the callback that shows it. */
  'booking-matched': {
    workflowId: bookingWorkflowId(lostOrder.commandId),
    async play(rental, platform) {
      platform.bookings.push({ outcome: 'unknown', code: 'TIMEOUT' });
      const { startAt, endAt } = lostOrder.request;
      const { number: carNumber } = car;
      const candidate = { reservationId: rental.id, productFits: true, carNumber, startAt, endAt };
      platform.bookingStore.sightings.push({ kind: 'none' }, { kind: 'one', candidate });
      expect(await rental.book(lostOrder)).toMatchObject({ outcome: 'applied', settledBy: 'callback' });
      expect(platform.bookingStore.notified).toMatchObject([{ booking: { commandId: lostOrder.commandId } }]);
    },
  },
  /** Several reservations fit, and a person says which it became. */
  'booking-resolved': {
    workflowId: bookingWorkflowId(unclearOrder.commandId),
    async play(rental, platform) {
      platform.bookings.push({ outcome: 'unknown', code: 'TIMEOUT' });
      platform.bookingStore.sightings.push({ kind: 'several' });
      const result = rental.book(unclearOrder);
      await expect.poll(() => platform.bookingStore.alerts.length, polling).toBe(1);
      const settlementId = 'golden-settlement';
      const resolution = {
        outcome: 'applied' as const,
        reservationId: rental.id,
        reason: 'compared',
        by: 'lee',
      };
      await rental.settleBooking(unclearOrder.commandId, { ...resolution, settlementId });
      expect(await result).toMatchObject({ outcome: 'applied', settledBy: 'person' });
    },
  },
  /** The booking is the first news of its reservation, and comes once more after the registration. */
  booked: {
    start: { policy: short },
    async play(rental) {
      const fact = facts(rental, 10 * minute);
      const { productId, driver, pickupAddress, startAt: start, endAt: end } = order.request;
      const about = { productId, driver, pickupAddress, companion: null, period: { start, end } };
      const answer = { status: 'CONFIRMED', carNumber: car.number, settledBy: 'answer' as const };
      const booking = { commandId: 'golden', by: 'channel-1', at: Date.now(), ...about, ...answer };
      await rental.notifyOfBooking(booking);
      await rental.deliver(fact(5, { channel: 'registration' }));
      await rental.notifyOfBooking(booking);
      await rental.deliver(fact(40));
      await rental.handle.result();
    },
  },
  suspended,
  role: { ...suspended, workflowId: roleWorkflowId('supplier') },
  'on-time': {
    start: { policy: short },
    async play(rental) {
      const fact = facts(rental, 10 * minute);
      await handOver(rental, fact);
      await rental.deliver(fact(20));
      await recall(rental, fact);
      await rental.handle.result();
    },
  },
  late: {
    start: { policy: short },
    async play(rental) {
      const fact = facts(rental, 1_500);
      await handOver(rental, fact);
      await rental.deliver(fact(20));
      await until(rental, (kinds) => kinds.includes('return-late'));
      await rental.deliver(fact(25));
      await recall(rental, fact);
      await rental.handle.result();
    },
  },
  'no-show': {
    start: { policy: short },
    async play(rental) {
      const fact = facts(rental, 1_500);
      await handOver(rental, fact);
      await until(rental, (kinds) => kinds.includes('callback-overdue'));
      await rental.deliver(fact(45));
      await rental.handle.result();
    },
  },
  cancelled: {
    start: { policy: short },
    async play(rental) {
      const fact = facts(rental, 10 * minute);
      await rental.deliver(fact(5, { channel: 'registration' }));
      await rental.deliver(fact(40));
      await rental.handle.result();
    },
  },
  'unknown-outcome': {
    async play(rental, platform) {
      const fact = facts(rental, 10 * minute);
      await rental.deliver(fact(5, { channel: 'registration' }));
      platform.answers.push(
        { kind: 'unknown', code: 'TIMEOUT' },
        { kind: 'wait', code: 'RATE_LIMITED', retryAfterMs: 100 },
      );
      await rental.sendAction('dispatch.start', skippingEarlierSteps);
      await rental.deliver(fact(10));
    },
  },
  'continued-as-new': {
    start: { policy: { ...policy, signalsPerRun: 3 } },
    async play(rental) {
      const fact = facts(rental, 10 * minute);
      await rental.deliver(fact(5, { channel: 'registration' }));
      await rental.sendAction('dispatch.start', skippingEarlierSteps);
      await rental.deliver(fact(10));
      await rental.deliver(fact(10));
      await rental.sendAction('dispatch.complete', skippingEarlierSteps);
      await rental.deliver(fact(15));
    },
  },
};

async function until(rental: TestReservation, holds: (attention: string[]) => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds((await rental.view()).attention.map(({ kind }) => kind))) {
    if (Date.now() > deadline) throw new Error('the attention that the story waits for did not come');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
