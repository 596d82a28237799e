import { expect } from 'vitest';
import { holdWorkflowId } from '../../src/contract/hold.js';
import type { HoldRequest } from '../../src/domain/hold/index.js';
import { FakePlatform } from './fake-platform.js';
import type { TestHold } from './holds.js';
import { minute, type TestReservation } from './reservations.js';
import type { Story } from './story.js';

const holdId = 'golden-hold';
const carId = 1001;
const polling = { timeout: 20_000 };

/** A platform with a scan queue, and the car in two products. */
class FleetPlatform extends FakePlatform {
  constructor() {
    super();
    this.cars.sale.set(`301/${carId}`, 'Y').set(`302/${carId}`, 'N');
  }
  override scanActivities() {
    return this.schedules.scans(this.cars);
  }
}

/** Placed over a lost answer, extended, released over a lost answer: each kind of step, and continue-as-new. */
async function play(rental: TestReservation, { schedules, cars }: FakePlatform): Promise<void> {
  const start = Math.floor(Date.now() / 1_000) * 1_000;
  const request: HoldRequest = {
    holdId,
    carId,
    period: { start, end: start + 10 * minute },
    reason: 'maintenance',
    withdrawFromSale: true,
    reservationId: null,
    by: 'staff-1',
    mark: 'mark',
  };
  schedules.meets.addSchedule = [{ kind: 'lost' }];
  const hold: TestHold = rental.hold(request);
  await hold.start({ historyEventsPerRun: 60 });
  await expect.poll(async () => (await hold.view()).state, polling).toBe('active');
  await hold.change({ commandId: 'golden-change', end: start + 20 * minute });
  await expect.poll(async () => (await hold.view()).state, polling).toBe('active');
  schedules.meets.changeSchedule = [{ kind: 'lost' }];
  cars.writes.push({ kind: 'lost' });
  await hold.release({ commandId: 'golden-release' });
  await hold.handle.result();
  expect(cars.sale.get(`301/${carId}`)).toBe('Y');
}

export const holdStories: Record<string, Story> = {
  hold: { platform: () => new FleetPlatform(), play, workflowId: holdWorkflowId(holdId) },
};
