import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { reservationList } from '../../src/api/reservations/list-schemas.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createClaims } from '../../src/store/reservations/claims.js';
import { createReservationLists } from '../../src/store/reservations/lists.js';
import { openReservations } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { startApi, type TestApi } from '../support/api.js';
import { publicTestKey } from '../support/codec.js';
import { onEveryDatabase } from '../support/database.js';
import { openRow, openRows, storeOpen } from '../support/open-rows.js';
import { hour, origin } from '../support/reservation-story.js';

const at = (hours: number) => new Date(origin + hours * hour).toISOString();
const period = (start: number, end: number) => ({ start: origin + start * hour, end: origin + end * hour });
const personal = { carNumber: null, dispatchStaff: null, recallStaff: null, drivers: [] };

onEveryDatabase('the list of open reservations', (lane) => {
  let database: HandoverDatabase;
  let api: TestApi;
  beforeAll(async () => {
    database = await lane.open();
    api = await startApi({
      lists: createReservationLists(database, openRows),
    });
  });
  beforeEach(() =>
    storeOpen(database.db, {
      1: { period: period(4, 28) },
      2: { period: period(2, 3), carId: 13, private: { ...personal, carNumber: '34나 3456' } },
      3: { period: null, status: null, carId: null, private: personal },
      4: {
        period: period(2, 40),
        status: 20,
        next: 'recall.staff',
        private: { ...personal, dispatchStaff: '김 현장', drivers: ['Kim Minsu', '이영희'] },
      },
      5: {
        period: period(-20, -1),
        status: 25,
        attention: [
          { kind: 'next-in-danger', since: origin },
          { kind: 'return-late', since: origin },
        ],
        next: 'dispatch.complete',
        private: { ...personal, carNumber: '90하0001', dispatchStaff: '김현수', drivers: ['Lee Driver'] },
      },
      3456: { period: period(30, 31), private: { ...personal, recallStaff: '김현장' } },
    }),
  );
  afterEach(() => database.db.delete(openReservations));
  afterAll(async () => {
    await api?.close();
    await database.close();
  });

  const list = async (query: Record<string, string> = {}) => {
    const { status, body } = await api.ask(`/api/reservations?${new URLSearchParams(query)}`, {
      as: 'viewer',
    });
    const ids = (body.items ?? []).map((item: { reservationId: number }) => item.reservationId);
    return { status, body, ids, count: body.count };
  };

  const search = (json: object, as: 'viewer' | 'staff' = 'staff') =>
    api.ask('/api/reservations/search', { method: 'POST', as, json });

  it('is in the order of the start of the period, then of the id; those without a period come last', async () => {
    const { ids, count, body } = await list();
    expect({ ids, count }).toEqual({ ids: [5, 2, 4, 1, 3456, 3], count: 6 });
    expect(z.strictObject(reservationList.shape).parse(body)).toEqual(body);
  });

  it.each<[string, Record<string, string>, number[]]>([
    ['status', { status: '20' }, [4]],
    ['status of none', { status: '30' }, []],
    ['car', { carId: '13' }, [2]],
    ['attention item', { attention: 'return-late' }, [5]],
    ['any attention item', { attention: 'any' }, [5]],
    [
      'overlap of the period, which a reservation without one has with nothing',
      { from: at(3), to: at(28) },
      [4, 1],
    ],
    ['start before a moment', { to: at(2) }, [5]],
    ['end after a moment', { from: at(31) }, [4]],
    ['next action', { next: 'recall.staff' }, [4]],
    ['plate, however it is spaced', { carNumber: '34 나3456' }, [2]],
    ['last four digits of the plate', { carNumber: '3456' }, [2, 1]],
    ['text that is a plate', { q: '12가3456' }, [1]],
    ['text that is an id and the end of plates', { q: '3456' }, [2, 1, 3456]],
    ['text that is an id', { q: '4' }, [4]],
    ['text that is nothing', { q: 'x' }, []],
    ['several of them together', { carNumber: '3456', carId: '12', status: '5' }, [1]],
    ['change that is still to come', { since: '2126-01-01T00:00:00Z' }, []],
  ])('finds by %s, and counts what it finds', async (_, query, ids) => {
    const found = await list(query);
    expect({ ids: found.ids, count: found.count }).toEqual({ ids, count: ids.length });
  });

  it.each([
    ['a driver', 'kim minsu', [4]],
    ['a companion', '이영희', [4]],
    ['staff', ' 김현장', [4, 3456]],
    ['none: a part of a name', 'Minsu', []],
    ['none: a plate', '12가3456', []],
  ])('staff find by the whole name of %s, which no address contains', async (_, person, ids) => {
    const { status, body } = await search({ person });
    expect([status, body.items.map((item: { reservationId: number }) => item.reservationId)]).toEqual([
      200,
      ids,
    ]);
    expect(body).toMatchObject({ count: ids.length, nextCursor: null });
    expect((await list({ q: person.trim() })).ids).not.toContain(4);
  });

  it('L60: viewers find no person', async () => {
    const { status, body } = await search({ person: 'Kim Minsu' }, 'viewer');
    expect([status, body.code]).toEqual([403, 'ROLE_NOT_ALLOWED']);
  });

  it('pages what it finds of a person', async () => {
    const first = (await search({ person: '김현장', limit: 1 })).body;
    const next = (await search({ person: '김현장', limit: 1, cursor: first.nextCursor })).body;
    expect([...first.items, ...next.items].map(({ reservationId }) => reservationId)).toEqual([4, 3456]);
    expect(next.nextCursor).toBeNull();
  });

  it('finds what has changed since a moment', async () => {
    await database.db.execute(sql`update ${openReservations} set written_at = now() - interval '1 hour'`);
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await list({ since })).ids).toEqual([]);
    await storeOpen(database.db, { 4: { sequence: 2, status: 30, period: null } });
    expect((await list({ since })).ids).toEqual([4]);
  });

  it('shows an item in its shape, the gravest attention first, with who claimed it, and no other person', async () => {
    const claims = createClaims(database.db, createSealer([publicTestKey]));
    const claim = { owner: 'lee', by: 'lee', from: null };
    await claims.claim({ reservationId: 5, kind: 'return-late' }, claim);
    const { body } = await list({ status: '25' });
    expect(Date.parse(body.asOf)).toBeLessThanOrEqual(Date.now());
    expect(body.items).toEqual([
      {
        reservationId: 5,
        status: { code: 25, name: 'return delayed' },
        carId: 12,
        companyId: openRow().companyId,
        period: { start: '2026-11-20T13:00:00.000+09:00', end: '2026-11-21T08:00:00.000+09:00' },
        attention: ['next-in-danger', 'return-late'],
        carNumber: '90하0001',
        next: { action: 'dispatch.complete', target: 15 },
        owner: null,
        owners: { 'return-late': 'lee' },
        closed: false,
      },
    ]);
    const others = (await list({ status: '5' })).body.items;
    expect(others.map(({ owner, owners }: { owner: null; owners: object }) => [owner, owners])).toEqual(
      Array(3).fill([null, {}]),
    );
  });

  it('pages by cursor, each reservation once; a cursor of another list is refused', async () => {
    for (const limit of ['1', '2', '4', '6']) {
      const seen: number[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list({ limit, ...(cursor !== '' && { cursor }) });
        expect(page.count).toBe(6);
        seen.push(...page.ids);
        cursor = page.body.nextCursor;
      }
      expect(seen).toEqual([5, 2, 4, 1, 3456, 3]);
    }
    const { body } = await list({ limit: '2' });
    const [mark] = body.nextCursor.split('.');
    const others = [
      { status: '35', cursor: body.nextCursor },
      { closed: 'true', cursor: body.nextCursor },
      { cursor: '17' },
      { cursor: `${mark}.999999999999999999.1` },
      { cursor: `${mark}.9999999999999999.1` },
      { cursor: `${mark}.1.9999999999999999` },
    ];
    for (const other of others) {
      const { status, body } = await list({ limit: '2', ...other });
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'CURSOR_UNKNOWN' });
    }
  });

  it('finds a later page unchanged where a reservation before it is gone', async () => {
    const { body } = await list({ limit: '2' });
    await database.db.delete(openReservations).where(sql`reservation_id in (5, 2)`);
    expect((await list({ limit: '2', cursor: body.nextCursor })).ids).toEqual([4, 1]);
  });
});
