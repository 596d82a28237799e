import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { housekeeping } from '../../src/inbox/housekeeping.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import { readBoard } from '../../src/store/reservations/board.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openRows, storeOpen } from '../support/open-rows.js';
import { recordQueries } from '../support/recorded-queries.js';

const lane = embeddedLane();

it('the active process gathers statistics of the embedded database: the board finds the few reservations with attention by their index', async () => {
  const database = await lane.open();
  onTestFinished(() => database.close());
  await storeOpen(database.db, { 1: { status: 5 } });
  await database.db.execute(sql`
    insert into open_reservations select (open_reservations).* from (
      select jsonb_populate_record(o, jsonb_build_object('reservation_id', 1 + n)) as open_reservations
      from open_reservations o cross join generate_series(1, 5000) n) as more`);
  const duties = housekeeping({
    database,
    alerts: { raise: async () => true, clear: async () => true },
    settings: { backlogAfterMs: 60_000, silenceAfterMs: null, bodiesMs: 60_000, verdictsMs: 60_000 },
    log: pino({ level: 'silent' }),
    lease: { name: 'relay', epoch: 0, remainingMs: () => 1 },
  });
  for (const duty of duties) duty.start();
  const gathered = sql`select from pg_stats where tablename = 'open_reservations' and attname = 'attention'`;
  await eventually('they are gathered', async () => rowsOf(await database.db.execute(gathered)).length === 1);
  for (const duty of duties) await duty.stop();
  const { db, plans } = recordQueries({ ...database, db: database.prompt });
  await readBoard(db, openRows, Date.now());
  expect((await plans())[0]).toContain('using open_reservations_attention');
});
