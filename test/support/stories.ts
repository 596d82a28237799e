import type { ReservationEvent } from '../../src/lifecycle/index.js';
import { car, company, type FakePlatform, minute, policy, type TestReservation } from './reservations.js';

/** One course of a reservation, played on a real engine within seconds; its history becomes a golden one. */
export interface Story {
  start?: { policy: typeof policy };
  play(rental: TestReservation, platform: FakePlatform): Promise<void>;
}

const short = { ...policy, settleMs: 500, overdueGraceMs: 300, lateLadderMs: [300, 600] };
const alone = { override: { reason: 'assigned on the web site' } };

/** Facts of one rental that begins now. */
function facts(rental: TestReservation, lengthMs: number) {
  const start = Date.now();
  const period = { start, end: start + lengthMs };
  return (status: number, more: Partial<ReservationEvent> = {}) =>
    rental.event({ status, period, car, company, ...more });
}

async function handOver(rental: TestReservation, fact: ReturnType<typeof facts>): Promise<void> {
  await rental.deliver(fact(5, { channel: 'registration' }));
  await rental.press('dispatch.staff');
  await rental.press('dispatch.start');
  await rental.deliver(fact(10), rental.event({ channel: 'status', status: 10 }));
  await rental.press('dispatch.parkingImage');
  await rental.press('dispatch.carImage');
  await rental.press('dispatch.complete');
  await rental.deliver(fact(15), rental.event({ channel: 'status', status: 15 }));
}

async function recall(rental: TestReservation, fact: ReturnType<typeof facts>): Promise<void> {
  await rental.deliver(fact(30));
  await rental.press('recall.staff');
  await rental.press('recall.carImage');
  await rental.press('recall.complete');
  await rental.deliver(fact(35));
}

export const stories: Record<string, Story> = {
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
      await rental.press('dispatch.start', alone);
      await rental.deliver(fact(10));
    },
  },
  'continued-as-new': {
    start: { policy: { ...policy, signalsPerRun: 3 } },
    async play(rental) {
      const fact = facts(rental, 10 * minute);
      await rental.deliver(fact(5, { channel: 'registration' }));
      await rental.press('dispatch.start', alone);
      await rental.deliver(fact(10));
      await rental.deliver(fact(10));
      await rental.press('dispatch.complete', alone);
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
