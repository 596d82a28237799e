import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createSchedule } from '../../src/store/schedule.js';
import { findings, holds, openReservations } from '../../src/store/schema.js';
import { onEveryDatabase } from '../support/database.js';
import { openRows, storeOpen } from '../support/open-rows.js';
import { hour, origin } from '../support/reservation-story.js';

const at = (hours: number) => origin + hours * hour;
const period = (start: number, end: number) => ({ start: at(start), end: at(end) });

onEveryDatabase('the schedule of cars', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    for (const table of [openReservations, holds, findings]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const read = (from: number, to: number, more = {}) =>
    createSchedule(database.prompt, openRows).read(period(from, to), { now: at(0), limit: 100, ...more });
  const hold = (holdId: string, carId: number, start: number, end: number, endedAt: number | null = null) =>
    database.db.insert(holds).values({
      holdId,
      carId,
      startAt: at(start),
      endAt: at(end),
      state: endedAt === null ? 'active' : 'released',
      withdrawFromSale: false,
      createdAt: origin,
      endedAt,
      attention: [],
      writtenAt: origin,
      view: Buffer.of(),
    });
  const finding = (carId: number, start: number, end: number, closedAt: number | null = null) =>
    database.db.insert(findings).values({
      kind: 'undiscovered',
      state: closedAt === null ? 'open' : 'gone',
      scheduleId: 70 + carId,
      carId,
      startAt: at(start),
      endAt: at(end),
      firstSeenAt: origin,
      lastSeenAt: origin,
      reads: 2,
      closedAt,
    });

  it('has what takes each car within the period, by its start', async () => {
    await storeOpen(database.db, {
      1: {
        carId: 12,
        status: 5,
        period: period(10, 20),
        attention: [{ kind: 'ambiguous', since: origin }],
        atRisk: true,
      },
      2: { carId: 12, status: 20, period: period(-5, 5) },
      3: { carId: 13, status: 5, period: period(30, 40) },
      4: { carId: null, status: 5, period: period(1, 2) },
      5: { carId: 14, status: 5, period: null },
      6: { carId: 14, status: 40, period: period(1, 2) },
    });
    await hold('h-1', 12, 6, 8);
    await hold('h-2', 12, 6, 8, origin);
    await finding(15, 1, 2);
    await finding(15, 3, 4, origin);
    const { items, nextCursor } = await read(0, 24);
    expect(nextCursor).toBeNull();
    expect(items).toEqual([
      {
        carId: 12,
        carNumber: '12가3456',
        bars: [
          {
            type: 'reservation',
            reservationId: 2,
            status: 20,
            attention: [],
            atRisk: false,
            overdue: false,
            startAt: at(-5),
            endAt: at(5),
          },
          { type: 'hold', holdId: 'h-1', state: 'active', startAt: at(6), endAt: at(8) },
          {
            type: 'reservation',
            reservationId: 1,
            status: 5,
            attention: ['ambiguous'],
            atRisk: true,
            overdue: false,
            startAt: at(10),
            endAt: at(20),
          },
        ],
      },
      {
        carId: 15,
        carNumber: null,
        bars: [
          {
            type: 'finding',
            kind: 'undiscovered',
            scheduleId: 85,
            findingId: expect.any(Number),
            startAt: at(1),
            endAt: at(2),
          },
        ],
      },
    ]);
  });

  it('a car that is with the customer after its end is taken until now', async () => {
    await storeOpen(database.db, {
      1: { carId: 12, status: 25, period: period(-30, -10) },
      2: { carId: 13, status: 5, period: period(-30, -10) },
      3: { carId: 14, status: 30, period: period(-30, -10) },
    });
    const carsWithin = async (from: number, to: number) =>
      (await read(from, to)).items.map(({ carId }) => carId);
    expect(await carsWithin(-5, 5)).toEqual([12]);
    expect(await carsWithin(0, 5)).toEqual([]);
    expect(await carsWithin(-20, 5)).toEqual([12, 13, 14]);
    const [late] = (await read(-5, 5)).items;
    expect(late?.bars).toMatchObject([{ overdue: true, endAt: at(-10) }]);
  });

  it('is read page by page, or of some cars', async () => {
    await storeOpen(
      database.db,
      Object.fromEntries([1, 2, 3].map((id) => [id, { carId: id, status: 5, period: period(1, 2) }])),
    );
    await hold('h-1', 1, 3, 4);
    const first = await read(0, 24, { limit: 2 });
    expect(first.items.map(({ carId, bars }) => [carId, bars.length])).toEqual([
      [1, 2],
      [2, 1],
    ]);
    const second = await read(0, 24, { limit: 2, cursor: first.nextCursor ?? '' });
    expect(second.items.map(({ carId }) => carId)).toEqual([3]);
    expect(second.nextCursor).toBeNull();
    const some = await read(0, 24, { carIds: [3, 1, 9], limit: 1 });
    expect(some.items.map(({ carId }) => carId)).toEqual([1]);
    const rest = await read(0, 24, { carIds: [3, 1, 9], cursor: some.nextCursor ?? '' });
    expect(rest.items.map(({ carId }) => carId)).toEqual([3]);
  });
});
