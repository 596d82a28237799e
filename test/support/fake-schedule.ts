import { ApplicationFailure } from '@temporalio/common';
import type { Activities, ScanActivities, ScheduleActivities } from '../../src/contract/activities.js';
import type { Attempt } from '../../src/contract/attempt.js';
import type { HoldRecord } from '../../src/contract/hold.js';
import type { ScheduleEntry } from '../../src/domain/hold/index.js';
import type { FakeCars } from './fake-cars.js';
import { Outage } from './outage.js';

type NotDone = Exclude<Attempt<never>, { kind: 'done' }>;
/** What a write meets: an end that is not `done`; `lost`: the platform acts, and its answer does not come. */
export type Met = NotDone | { kind: 'lost' };
interface Entry extends ScheduleEntry {
  carId: number;
}

/** Schedules of cars as the platform has them, and the rows of holds. */
export class FakeSchedule {
  entries: Entry[] = [];
  /** What the next writes meet, by activity; after them every write is taken. */
  readonly meets: Partial<Record<keyof ScheduleActivities, Met[]>> = {};
  /** The calls in their order. */
  readonly calls: string[] = [];
  readonly records: HoldRecord[] = [];
  /** Why the list of products cannot be read. */
  unreadable: string | undefined;
  /** The list of products is not answered. */
  isSilent = false;
  /** Where rows of holds are written. */
  readonly database = new Outage();
  /** Cars that there are; unset: every one. */
  known: ReadonlySet<number> | undefined;
  private lastId = 500;

  add(entry: Omit<Entry, 'scheduleId'>): number {
    this.lastId += 1;
    this.entries.push({ scheduleId: this.lastId, ...entry });
    return this.lastId;
  }

  /** Holds that still give back, at the next questions. */
  readonly before: string[] = [];

  activities(): ScheduleActivities & Pick<Activities, 'recordHold' | 'holdBefore'> {
    const call = async <T>(name: keyof ScheduleActivities, act: () => Attempt<T>): Promise<Attempt<T>> => {
      this.calls.push(name);
      const met = this.meets[name]?.shift();
      if (met !== undefined && met.kind !== 'lost') return met;
      const answer = act();
      return met === undefined ? answer : { kind: 'unknown', code: 'TIMEOUT' };
    };
    const found = (scheduleId: number) => this.entries.find((entry) => entry.scheduleId === scheduleId);
    const refused = (code: string): NotDone => ({ kind: 'refused', code, message: code });
    const isTaken = (carId: number, { start, end }: { start: number; end: number }, own?: number) =>
      this.entries.some(
        (other) =>
          other.carId === carId && other.scheduleId !== own && other.start < end && start < other.end,
      );
    const activities: ReturnType<FakeSchedule['activities']> = {
      readCar: ({ carId }) =>
        call('readCar', () =>
          this.known?.has(carId) === false
            ? refused('NOT_FOUND')
            : { kind: 'done', value: { carNumber: `car ${carId}` } },
        ),
      addSchedule: ({ carId, period, reason }) =>
        call('addSchedule', () => {
          if (isTaken(carId, period)) return refused('E011');
          return { kind: 'done', value: { scheduleId: this.add({ carId, type: 'S', reason, ...period }) } };
        }),
      changeSchedule: ({ scheduleId, carId, period, reason }) =>
        call('changeSchedule', () => {
          const entry = found(scheduleId);
          if (entry === undefined) return refused('NOT_FOUND');
          if (isTaken(carId, period, scheduleId)) return refused('E011');
          Object.assign(entry, { ...period, reason });
          return { kind: 'done', value: {} };
        }),
      deleteSchedule: ({ scheduleId }) =>
        call('deleteSchedule', () => {
          if (found(scheduleId) === undefined) return refused('NOT_FOUND');
          this.entries = this.entries.filter((entry) => entry.scheduleId !== scheduleId);
          return { kind: 'done', value: {} };
        }),
      getSchedule: ({ scheduleId }) =>
        call('getSchedule', () => {
          const entry = found(scheduleId);
          if (entry === undefined) return refused('NOT_FOUND');
          const { start, end, reason } = entry;
          return { kind: 'done', value: { period: { start, end }, reason } };
        }),
      holdBefore: async () => ({ holdId: this.before.shift() ?? null }),
      recordHold: async (record) => {
        this.records.push(record);
      },
    };
    return this.database.over(activities, ['recordHold']);
  }

  /** What the scan queue reads of the same platform. */
  scans(cars: FakeCars): Pick<ScanActivities, 'listProductIds' | 'carInProduct' | 'carSchedules'> {
    return {
      listProductIds: async () => {
        if (this.unreadable !== undefined)
          throw ApplicationFailure.nonRetryable(this.unreadable, 'UNREADABLE');
        if (this.isSilent)
          throw ApplicationFailure.retryable('the platform was not read (TIMEOUT)', 'TIMEOUT');
        const places = [...cars.sale.keys()].map((place) => Number(place.split('/')[0]));
        return [...new Set(places)].sort((one, other) => one - other);
      },
      carInProduct: async ({ productId, carId }) => {
        const saleYn = cars.sale.get(`${productId}/${carId}`);
        return saleYn === undefined ? null : { saleYn };
      },
      carSchedules: async ({ carId }) =>
        this.entries.filter((entry) => entry.carId === carId).map(({ carId: _, ...entry }) => entry),
    };
  }
}
