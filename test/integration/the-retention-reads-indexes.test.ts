import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../src/store/connection/rows.js';
import { countOverdue } from '../../src/store/erasure/due.js';
import type { HandoverDatabase, HandoverDb } from '../../src/store/handover.js';
import { onOneDatabase } from '../support/database.js';

const day = 86_400_000;

onOneDatabase('L60: many bookings and holds of the last years', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
    await database.db.execute(sql`
      insert into bookings (command_id, run_id, by, mark, product_id, start_at, end_at, state, created_at, settled_at)
      select 'c' || n, 'r', 'kim', '\\x00', 1, now(), now(), 'rejected', now(), now() from generate_series(1, 20000) n`);
    await database.db.execute(sql`
      insert into holds (hold_id, car_id, start_at, end_at, state, withdraw_from_sale, created_at, ended_at, attention, written_at, view)
      select 'h' || n, 1, now(), now(), 'released', false, now(), now(), '{}', now(), '\\x00' from generate_series(1, 20000) n`);
    await database.db.execute(sql.raw('analyze bookings'));
    await database.db.execute(sql.raw('analyze holds'));
  });
  afterAll(async () => {
    for (const table of ['bookings', 'holds']) await database.db.execute(sql.raw(`delete from ${table}`));
    await database.close();
  });

  it('the retention finds what is due by indexes, and does not read whole tables', async () => {
    const { db } = database;
    let asked: SQL | undefined;
    const execute = (query: SQL) => {
      asked = query;
      return db.execute(query);
    };
    const recording = { select: db.select.bind(db), execute } as unknown as HandoverDb;
    const storedFor = { reservationsMs: 365 * day, photosMs: 365 * day };
    expect(await countOverdue(recording, storedFor, Date.now())).toBe(0);
    const plan = JSON.stringify(rowsOf(await db.execute(sql`explain ${asked}`)));
    for (const index of ['bookings_to_erase', 'holds_to_erase']) expect(plan).toContain(index);
    for (const table of ['bookings', 'holds']) expect(plan).not.toContain(`Seq Scan on ${table}`);
  });
});
