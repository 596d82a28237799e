import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { storeEntries } from '../../src/store/findings/entries.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createSchedule } from '../../src/store/schedule.js';
import { findings, holds, openReservations, scheduleEntries } from '../../src/store/schema.js';
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
    for (const table of [openReservations, holds, findings, scheduleEntries]) await database.db.delete(table);
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

  describe('S entries of the schedule (F41)', () => {
    const days = { from: at(-24), to: at(24), unread: null };
    const entry = (scheduleId: number, carId: number, start: number, end: number) => ({
      scheduleId,
      carId,
      ...period(start, end),
    });
    const shown = async () =>
      (await read(-48, 48)).items.flatMap(({ carId, bars }) =>
        bars.map((bar) => [carId, bar.type === 'entry' ? bar.scheduleId : bar.type]),
      );
    const store = (entries: ReturnType<typeof entry>[], more: object = {}, readAt = at(0)) =>
      storeEntries(database.db, { ...days, ...more }, entries, readAt);

    it('take their car, as the last reading of their days had them', async () => {
      await store([entry(1, 12, 1, 2), entry(2, 13, 23, 30)]);
      await store([entry(3, 14, 30, 31), entry(2, 13, 23, 31)], { from: at(24), to: at(48) });
      expect(await shown()).toEqual([
        [12, 1],
        [13, 2],
        [14, 3],
      ]);
      expect((await read(0, 48, { carIds: [13] })).items[0]?.bars).toEqual([
        { type: 'entry', scheduleId: 2, startAt: at(23), endAt: at(31), readAt: at(0) },
      ]);
      await store([entry(1, 12, 3, 4)]);
      expect(await shown()).toEqual([
        [12, 1],
        [14, 3],
      ]);
      expect((await read(0, 24)).items[0]?.bars).toMatchObject([{ startAt: at(3), endAt: at(4) }]);
    });

    it('of cars that could not be read stay', async () => {
      await store([entry(1, 12, 1, 2), entry(2, 13, 1, 2)]);
      await store([], { unread: [12] });
      expect(await shown()).toEqual([[12, 1]]);
      await store([], { unread: 'any' });
      expect(await shown()).toEqual([[12, 1]]);
      await store([]);
      expect(await shown()).toEqual([]);
    });

    it('are forgotten a month after their end', async () => {
      await store([entry(1, 12, -30, -20)], { from: at(-48), to: at(0) });
      await store([], {}, at(31 * 24));
      expect(await shown()).toEqual([]);
    });

    it('of a hold are not shown beside it, nor what is left of it, nor once it is released and until the next reading', async () => {
      await hold('h-1', 12, 7, 9);
      await hold('h-2', 13, 7, 9, at(5));
      await hold('h-3', 14, 1, 2, at(2));
      const all = [entry(1, 12, 7, 9), entry(2, 13, 7, 9), entry(3, 14, 1, 2)];
      await store(all, {}, at(4));
      expect(await shown()).toEqual([[12, 'hold']]);
      await store(all, {}, at(6));
      expect(await shown()).toEqual([
        [12, 'hold'],
        [13, 2],
      ]);
    });

    it('of a hold that a manager closed are shown: nothing was undone on the platform', async () => {
      await store([entry(1, 12, 7, 9)], {}, at(4));
      await hold('h-1', 12, 7, 9, at(5));
      await database.db.update(holds).set({ state: 'resolved' });
      expect(await shown()).toEqual([[12, 1]]);
    });

    it('because of which a hold was refused stay', async () => {
      await store([entry(1, 12, 7, 9)], {}, at(4));
      await hold('h-1', 12, 6, 8, at(5));
      await database.db.update(holds).set({ state: 'refused' });
      expect(await shown()).toEqual([[12, 1]]);
      await database.db.update(holds).set({ endedAt: at(10) });
      expect(await shown()).toEqual([[12, 1]]);
    });

    it('that the platform lists twice are one, and an earlier reading replaces no later one', async () => {
      await store([entry(1, 12, 7, 9), entry(1, 12, 7, 9)], {}, at(4));
      await store([entry(1, 12, 3, 4), entry(2, 13, 3, 4)], {}, at(4) - 60_000);
      expect((await read(0, 24)).items[0]?.bars).toMatchObject([{ scheduleId: 1, startAt: at(7) }]);
      expect(await shown()).toEqual([
        [12, 1],
        [13, 2],
      ]);
    });

    it('that a worker whose clock was ahead has stored are replaced by the next reading', async () => {
      await store([entry(1, 12, 7, 9), entry(2, 13, 7, 9)], {}, at(24));
      await store([entry(1, 12, 3, 4)], {}, at(0));
      expect((await read(0, 24)).items.map(({ bars }) => bars)).toMatchObject([
        [{ scheduleId: 1, startAt: at(3) }],
      ]);
    });

    it('stay while no reading completes', async () => {
      await store([entry(1, 12, 7, 9), entry(2, 13, -9, -7)], {}, at(-48));
      expect(await shown()).toEqual([
        [12, 1],
        [13, 2],
      ]);
    });
  });
});
