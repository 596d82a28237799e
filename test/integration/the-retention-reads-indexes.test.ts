import { eq, type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../src/store/connection/rows.js';
import { reasonsOf } from '../../src/store/erasure/delete-texts.js';
import { countOverdue } from '../../src/store/erasure/due.js';
import { hasReasonBefore } from '../../src/store/erasure/old-texts.js';
import type { HandoverDatabase, HandoverDb } from '../../src/store/handover.js';
import { holds, outbox } from '../../src/store/schema.js';
import { onOneDatabase } from '../support/database.js';

const day = 86_400_000;
const tables = ['bookings', 'holds', 'audit', 'outbox'];

onOneDatabase('L60: many bookings and holds of the last years', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
    await database.db.execute(sql`
      insert into bookings (command_id, run_id, by, mark, product_id, start_at, end_at, state, created_at, settled_at)
      select 'c' || n, 'r', 'kim', '\\x00', 1, now(), now(), 'rejected', now(), now() from generate_series(1, 20000) n`);
    await database.db.execute(sql`
      insert into holds (hold_id, car_id, start_at, end_at, state, withdraw_from_sale, reservation_id, created_at, ended_at, attention, written_at, view)
      select 'h' || n, 1, now(), now(), 'released', false, n, now(), now(), '{}', now(), '\\x00' from generate_series(1, 20000) n`);
    await database.db.execute(sql`
      insert into audit (at, by, action, subject, reason, data)
      select '2020-01-01'::timestamptz + n * interval '1 hour', 'kim',
        case n % 2 when 0 then 'inbox.replay' else 'finding.adopt' end,
        (array['inbox', 'finding/' || n, 'inbox/' || n, 'hold/h' || n])[n % 4 + 1],
        case when n % 2 = 0 then '\\x00'::bytea end, jsonb_build_object('reservationId', n)
      from generate_series(1, 20000) n`);
    await database.db.execute(sql`
      insert into outbox (destination, key, message_id, path, body, created_at)
      select 'forward', 'reservation-' || n, 'm-' || n, '/', '\\x00', now() from generate_series(1, 20000) n`);
    for (const table of tables) await database.db.execute(sql.raw(`analyze ${table}`));
  });
  afterAll(async () => {
    for (const table of tables) await database.db.execute(sql.raw(`delete from ${table}`));
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

  it('an erasure finds reasons, posts and holds of its reservation by indexes, and old reasons by their time', async () => {
    const { db } = database;
    const planOf = async (where: SQL | undefined, of: string) =>
      JSON.stringify(rowsOf(await db.execute(sql`explain select from ${sql.raw(of)} where ${where}`)));
    const erased = { reservationId: 17, bookings: ['c17'], holds: ['h17'] };
    const reasons = await Promise.all(reasonsOf(erased).map((where) => planOf(where, 'audit')));
    for (const plan of reasons) expect(plan).not.toContain('Seq Scan on audit');
    expect(reasons.join()).toContain('audit_reason_reservation');
    expect(await planOf(hasReasonBefore(Date.UTC(2020, 0, 2)), 'audit')).toContain('audit_reason_at');
    expect(await planOf(eq(outbox.key, 'reservation-17'), 'outbox')).toContain('outbox_key');
    expect(await planOf(eq(holds.reservationId, 17), 'holds')).toContain('holds_reservation');
  });
});
