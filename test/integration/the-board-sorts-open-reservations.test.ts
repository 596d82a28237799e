import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AttentionKind, ListRow } from '../../src/domain/reservation/index.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { readBoard } from '../../src/store/reservations/board.js';
import { lanes } from '../../src/store/reservations/list.js';
import { createReservationLists } from '../../src/store/reservations/lists.js';
import { attentionClaims, openReservations } from '../../src/store/schema.js';
import { onEveryDatabase } from '../support/database.js';
import { openRow, openRows, storeOpen } from '../support/open-rows.js';
import { recordQueries } from '../support/recorded-queries.js';
import { hour, minute, origin } from '../support/reservation-story.js';

const now = origin;
const period = (start: number, end: number) => ({ start: now + start * hour, end: now + end * hour });
const item = (kind: AttentionKind, hours = 0) => ({ kind, since: now + hours * hour });

onEveryDatabase('the board', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(() => database.db.delete(openReservations));
  afterAll(() => database.close());

  const claims = (reservationId: number, ...claimed: [AttentionKind, string][]) =>
    database.db
      .insert(attentionClaims)
      .values(claimed.map(([kind, owner]) => ({ reservationId, kind, owner, by: owner })));
  const read = () => readBoard(database.prompt, openRows, now);
  const idsByLane = async () => {
    const board = await read();
    for (const name of lanes) expect(board[name].count).toBe(board[name].items.length);
    return Object.fromEntries(lanes.map((name) => [name, board[name].items.map((one) => one.reservationId)]));
  };

  it('shows each reservation in one lane: one with attention there, the others by status and period', async () => {
    await storeOpen(database.db, {
      1: { status: 5, period: period(3, 9) },
      2: { status: 10, period: period(-1, 9) },
      3: { status: 5, period: null },
      11: { status: 15, period: period(-1, 9) },
      12: { status: 20, period: period(-1, 2.01) },
      13: { status: 20, period: null },
      21: { status: 20, period: period(-9, 2) },
      22: { status: 25, period: period(-9, -1) },
      23: { status: 25, period: null },
      24: { status: 15, period: period(-9, 1) },
      31: { status: 30, since: now - hour },
      32: { status: 30, since: now - 2 * hour },
      41: { status: 20, period: period(-9, 9), attention: [item('conflict')] },
      42: { status: 40, attention: [item('retrieve-car')] },
      51: { status: 35 },
      52: { status: 40 },
      53: { status: null },
    });
    expect(await idsByLane()).toEqual({
      attention: [42, 41],
      dueOut: [2, 1, 3],
      out: [12, 11, 13],
      dueBack: [22, 24, 21, 23],
      toRecall: [32, 31],
    });
  });

  it('has the gravest attention first, and of equal ones the oldest', async () => {
    await storeOpen(database.db, {
      1: { attention: [item('spec-violation', -9)] },
      2: { attention: [item('return-late', -1)] },
      3: { attention: [item('return-late', -2), item('conflict', -8)] },
      4: { attention: [item('terminal-contradiction')] },
      5: { attention: [item('of a later release' as AttentionKind, -9)] },
      6: { attention: [item('next-in-danger'), item('return-late', -3)] },
    });
    expect((await idsByLane()).attention).toEqual([4, 6, 3, 2, 1, 5]);
  });

  it('counts all of a lane and shows its first 40, or as many as the limit', async () => {
    const late = Array.from({ length: 90 }, (_, index) => [
      index + 1,
      { status: 5, period: { start: now - index * minute, end: now + 9 * hour } },
    ]);
    await storeOpen(database.db, Object.fromEntries(late));
    const { dueOut, ...others } = await read();
    expect(dueOut.count).toBe(90);
    expect(dueOut.items.map((one) => one.reservationId)).toEqual(
      Array.from({ length: 40 }, (_, index) => 90 - index),
    );
    for (const other of Object.values(others)) expect(other).toEqual({ count: 0, items: [] });
    const more = await readBoard(database.prompt, openRows, now, { limit: 80 });
    expect(more.dueOut.count).toBe(90);
    expect(more.dueOut.items.map((one) => one.reservationId)).toEqual(
      Array.from({ length: 80 }, (_, index) => 90 - index),
    );
  });

  it('reads an index of each lane, and no more rows than it shows, however many are open', {
    timeout: 120_000,
  }, async () => {
    // with fewer rows the planner rightly reads all of them
    const { prompt, db } = database;
    await storeOpen(db, Object.fromEntries(Array.from({ length: 200 }, (_, id) => [id, { status: 5 }])));
    await db.execute(sql`
      insert into open_reservations select (open_reservations).* from (
        select jsonb_populate_record(o, jsonb_build_object('reservation_id', o.reservation_id + 1000 * n,
          'start_at', now() + n * interval '1 hour', 'end_at', now() + (n - 30) * interval '1 hour', 'since', now(),
          'status', (array[5, 5, 5, 5, 10, 15, 20, 25, 25, 30])[1 + n % 10])) as open_reservations
        from open_reservations o cross join generate_series(1, 100) n) as more`);
    await db.execute(sql`analyze open_reservations`);
    const counts = { attention: 9_999, dueOut: 9_999, out: 9_999, dueBack: 9_999, toRecall: 9_999 };
    const { db: recorded, plans } = recordQueries({ ...database, db: prompt });
    const board = await readBoard(recorded, openRows, Date.now(), {}, { counted: async () => counts });
    expect(lanes.map((name) => board[name].count)).toEqual([0, 9_999, 9_999, 9_999, 9_999]);
    const [plan, rows, ...others] = await plans();
    expect(others).toEqual([]);
    expect(rows).toContain('open_reservations_pkey');
    for (const index of ['attention', 'due_out', 'out', 'to_recall'])
      expect(plan).toContain(`open_reservations_${index}`);
    expect(plan).not.toMatch(/Seq Scan.*open_reservations/);
  });

  it('shows what was written since the last reading, also twice in one transaction', async () => {
    const { board } = createReservationLists(database, openRows);
    const shown = async () => {
      const { dueOut, out } = await board(now);
      return [...dueOut.items, ...out.items].map(({ reservationId, status, private: { carNumber } }) => [
        reservationId,
        status,
        carNumber,
      ]);
    };
    const at = { period: period(3, 9) };
    await storeOpen(database.db, { 1: { ...at, status: 5 }, 2: { ...at, status: 5 } });
    await shown();
    const moved = (status: number, carNumber: string) => ({
      ...at,
      status,
      private: { carNumber, dispatchStaff: null, recallStaff: null, drivers: [] },
    });
    await database.db.transaction(async (tx) => {
      await storeOpen(tx, { 1: moved(10, '11가1111') });
      await storeOpen(tx, { 1: moved(20, '22나2222') });
    });
    expect(await shown()).toEqual([
      [2, 5, expect.anything()],
      [1, 20, '22나2222'],
    ]);
  });

  it.each([
    [{ productId: 4 }, [1, 2]],
    [{ q: '3456' }, [1, 2, 3]],
    [{ q: '2' }, [2]],
    [{ attention: 'return-late' }, [3]],
    [{ attention: 'return-late', productId: 4 }, []],
    [{ owner: 'Kim' }, []],
  ] as const)('shows and counts what matches %j alone', async (filter, ids) => {
    const shown = { status: 5, period: period(3, 9) };
    await storeOpen(database.db, {
      1: { ...shown, productId: 4 },
      2: { ...shown, productId: 4 },
      3: { ...shown, attention: [item('return-late')] },
    });
    const board = await readBoard(database.prompt, openRows, now, filter);
    const found = lanes.flatMap((name) => board[name].items.map((one) => one.reservationId));
    expect(found.sort()).toEqual(ids);
    expect(lanes.reduce((sum, name) => sum + board[name].count, 0)).toBe(ids.length);
  });

  it('shows a member of staff what names them alone: as who takes the next steps, or by any claim', async () => {
    const named = (names: Partial<ListRow['private']>) => ({
      private: { carNumber: null, dispatchStaff: null, recallStaff: null, drivers: [], ...names },
    });
    const out = { status: 5, period: period(3, 9) };
    const claimed = { ...out, attention: [item('conflict'), item('return-late')] };
    await storeOpen(database.db, {
      1: { ...out, ...named({ dispatchStaff: 'Jun Kim', recallStaff: 'Lee' }) },
      2: { ...out, ...named({ dispatchStaff: ' jun  KIM', drivers: ['Lee'] }) },
      3: { ...out, status: 15, ...named({ dispatchStaff: 'Jun Kim', recallStaff: 'Lee' }) },
      4: { ...out, ...named({ dispatchStaff: 'Kim', drivers: ['Jun Kim'] }) },
      5: claimed,
      6: claimed,
      7: { ...out, status: null, ...named({ dispatchStaff: 'Jun Kim' }) },
    });
    await claims(5, ['conflict', 'Lee'], ['return-late', 'Jun Kim']);
    const idsOf = async (involved: { owner: string; staff?: string }) => {
      const board = await readBoard(database.prompt, openRows, now, { involved });
      expect(lanes.map((name) => board[name].count)).toEqual(lanes.map((name) => board[name].items.length));
      return lanes.flatMap((name) => board[name].items.map((one) => one.reservationId));
    };
    expect(await idsOf({ owner: 'Jun Kim', staff: 'Jun Kim' })).toEqual([5, 1, 2]);
    expect(await idsOf({ owner: 'Lee', staff: 'Lee' })).toEqual([5, 3]);
    expect(await idsOf({ owner: 'Jun Kim' })).toEqual([5]);
    expect(await idsOf({ owner: 'jun kim' })).toEqual([]);
  });

  it('counts the rows of one member of staff, and shows those that are behind the first of all', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => [
      index + 1,
      {
        status: 5,
        period: { start: now + index * minute, end: now + 9 * hour },
        private: {
          carNumber: null,
          dispatchStaff: index < 54 ? 'Lee' : 'Kim',
          recallStaff: null,
          drivers: [],
        },
      },
    ]);
    await storeOpen(database.db, Object.fromEntries(rows));
    const { dueOut } = await readBoard(database.prompt, openRows, now, {
      involved: { owner: 'Kim', staff: 'Kim' },
    });
    expect(dueOut.count).toBe(46);
    expect(dueOut.items.map((one) => one.reservationId)).toEqual(
      Array.from({ length: 40 }, (_, index) => 55 + index),
    );
  });

  it('shares no rows and no counts between members of staff', async () => {
    const rows = Array.from({ length: 90 }, (_, index) => [
      index + 1,
      {
        status: 5,
        period: period(3, 9),
        private: {
          carNumber: null,
          dispatchStaff: index < 41 ? 'Lee' : 'Kim',
          recallStaff: null,
          drivers: [],
        },
      },
    ]);
    await storeOpen(database.db, Object.fromEntries(rows));
    const lists = createReservationLists(database, openRows);
    const counts = ['Kim', 'Lee', 'Kim', 'Park'].map(async (name) => {
      const { dueOut } = await lists.board(now, { involved: { owner: name, staff: name } });
      return [dueOut.count, dueOut.items[0]?.private.dispatchStaff];
    });
    expect(await Promise.all(counts)).toEqual([
      [49, 'Kim'],
      [41, 'Lee'],
      [49, 'Kim'],
      [0, undefined],
    ]);
  });

  it('shows a row as it was written, with the moment that its lane is about', async () => {
    const row = openRow({
      sequence: now + 7,
      status: 20,
      grade: 'commanded',
      since: now - hour,
      productId: 4,
      period: period(-5, 9),
      next: 'recall.staff',
      unknownCommands: 1,
      waitingCommands: 2,
      atRisk: true,
      private: { carNumber: '12가3456', dispatchStaff: 'Kim', recallStaff: 'Lee', drivers: ['Park'] },
    });
    await storeOpen(database.db, { 1: row });
    const { drivers: _, ...shown } = row.private;
    expect((await read()).out.items).toEqual([
      { reservationId: 1, owners: {}, ...row, private: shown, relevantAt: row.period?.end },
    ]);
  });
});
