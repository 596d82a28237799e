import type { Client } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import { expect } from 'vitest';
import { reservationWorkflowId } from '../../src/contract/names.js';
import {
  type ReconciliationActivities,
  type ReconciliationResult,
  type ReconciliationStart,
  reconciliationId,
  type SliceActivity,
} from '../../src/contract/reconciliation.js';
import { scheduledSignal } from '../../src/contract/reservation.js';
import type { ScheduleEvidence } from '../../src/domain/reservation/index.js';
import type { Period } from '../../src/domain/shared/time.js';
import { FakePlatform } from './fake-platform.js';
import { car, hour, type TestReservation } from './reservations.js';
import type { Story } from './story.js';

export const fewDays: ReconciliationStart = {
  window: { daysBack: 1, daysAhead: 2, sliceDays: 2, zoneOffsetMinutes: 540 },
};
const counts: ReconciliationResult = {
  entries: 1,
  reservations: 1,
  agree: 0,
  differ: 1,
  missing: 0,
  undiscovered: 0,
  told: 1,
};

/** A platform whose schedule was read and compared already; it notifies one reservation of the result. */
export class ReconcilingPlatform extends FakePlatform {
  readonly slices: string[] = [];
  /** What the next reconciliation reports to which reservation. */
  waiting: { reservationId: number; evidence: ScheduleEvidence }[] = [];
  /** Requests and tellings that fail before they succeed. */
  failures = 0;
  /** What the next requests of the schedule meet. */
  readonly refusals: ApplicationFailure[] = [];
  /** Codes that were reported to operations. */
  readonly stuck: string[] = [];

  constructor(private readonly client: Client) {
    super();
  }

  override activities() {
    const own: ReconciliationActivities = {
      compareSchedule: async () => ({ ...counts, told: this.waiting.length }),
      reconciliationStuck: async ({ code }) => void this.stuck.push(code),
      tellReservations: async () => {
        this.mayFail();
        const next = this.waiting.shift();
        if (next !== undefined) {
          const handle = this.client.workflow.getHandle(reservationWorkflowId(next.reservationId));
          await handle.signal(scheduledSignal, next.evidence);
        }
        return this.waiting.length > 0 ? 1 : null;
      },
    };
    return { ...super.activities(), ...own };
  }

  override scanActivities(): SliceActivity {
    return {
      readScheduleSlice: async ({ slice }) => {
        const refusal = this.refusals.shift();
        if (refusal !== undefined) throw refusal;
        this.mayFail();
        this.slices.push(`${slice.startDate}/${slice.endDate}`);
        return 1;
      },
    };
  }

  private mayFail(): void {
    if (this.failures === 0) return;
    this.failures -= 1;
    throw new Error('not this time');
  }
}

/** Two periods of unknown order, resolved by the schedule with two reports. */
async function play(rental: TestReservation, platform: FakePlatform): Promise<void> {
  const reconciling = platform as ReconcilingPlatform;
  const start = Date.now() + hour;
  const right: Period = { start, end: start + hour };
  await rental.deliver(rental.event({ channel: 'registration', status: 5, car, period: right }));
  await rental.deliver(rental.event({ status: 5, car, period: right }));
  await rental.deliver(rental.event({ status: 5, car, period: { start, end: start + 9 * hour } }));
  await expect.poll(async () => (await rental.view()).marks).toContain('ambiguous:period');
  const entry = { scheduleId: 77, carId: car.id, ...right };
  const about = (evidence: Omit<ScheduleEvidence, 'at'>) => ({
    reservationId: rental.id,
    evidence: { at: Date.now(), ...evidence },
  });
  reconciling.waiting = [
    about({ entry: null, candidates: [entry], confirmed: false }),
    about({ entry, candidates: [], confirmed: true }),
  ];
  reconciling.failures = 1;
  expect(await rental.reconcile(fewDays)).toMatchObject({ told: 2 });
  expect(reconciling.slices).toHaveLength(2);
  await expect.poll(async () => (await rental.view()).marks).not.toContain('ambiguous:period');
}

const platform = (client: Client) => new ReconcilingPlatform(client);

/** The reconciliation's own history, and that of the reservation that it notified. */
export const reconciliationStories: Record<string, Story> = {
  reconciliation: { platform, play, workflowId: reconciliationId },
  corroborated: { platform, play },
};
