import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { createAudit } from '../../src/store/audit.js';
import { createPlates } from '../../src/store/cars/plates.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { listOpen } from '../../src/store/reservations/open-list.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { openRows } from '../support/open-rows.js';
import { recordQueries } from '../support/recorded-queries.js';

const sealer = createSealer([publicTestKey]);
const minute = 60_000;
const tables = ['audit', 'alerts', 'open_reservations', 'case_files'];

onOneDatabase('the history of some years', (lane) => {
  let database: HandoverDatabase;
  const now = Date.now();
  beforeAll(async () => {
    database = await lane.open();
    const at = sql`to_timestamp(${now / 1_000}) - (20000 - n) * interval '1 minute'`;
    for (const filled of [
      sql`insert into audit (at, by, action, subject, data)
        select ${at}, 'kim', 'inbox.replay', 'inbox/' || n, '{}' from generate_series(1, 20000) n`,
      sql`insert into alerts (kind, subject, since, message, cleared_at)
        select 'role-suspended', 'channel', ${at}, '', ${at} + interval '20 seconds' from generate_series(1, 20000) n`,
      // open since the beginning
      sql`update alerts set cleared_at = null where id = (select min(id) from alerts)`,
      sql`insert into open_reservations (reservation_id, sequence, car_id, attention, unknown_commands, waiting_commands,
          at_risk, personal)
        select n, n, n, case when n % 1000 = 0 then '[{"kind": "return-late", "since": 0}]'::jsonb else '[]' end, 0, 0,
          false, '\\x00'
        from generate_series(1, 20000) n`,
      sql`insert into case_files (reservation_id, closed_at, car_id, attention, view)
        select 20000 + n, ${at}, 20000 + n, '{}', '\\x00' from generate_series(1, 20000) n`,
    ])
      await database.db.execute(filled);
    for (const table of tables) await database.db.execute(sql.raw(`analyze ${table}`));
  });
  afterAll(async () => {
    for (const table of tables) await database.db.execute(sql.raw(`delete from ${table}`));
    await database.close();
  });

  it('audit, alerts, open items and plates are read by an index, not from whole tables', async () => {
    const { db, plans } = recordQueries(database);
    const byIndex = async (...indexes: string[]) => {
      const [plan] = await plans();
      for (const index of indexes) expect(plan).toContain(index);
      expect(plan).not.toContain('Seq Scan');
    };
    const since = now - 9.5 * minute;
    const audit = createAudit(db, sealer);
    expect((await audit.list({ since, limit: 500 })).items).toHaveLength(10);
    await byIndex('audit_at');
    const alerts = createAlerts(db, { sealer, post: false });
    // those of the last ten minutes, and the one that was open all the time
    const found = await alerts.list({ state: 'all', since, limit: 500 });
    expect(found.items).toHaveLength(11);
    expect(found.items.at(-1)?.clearedAt).toBeNull();
    await byIndex('alerts_cleared');
    expect((await listOpen(db, openRows, { attention: 'any', limit: 500 })).items).toHaveLength(20);
    await byIndex('open_reservations_attention');
    await createPlates(db, { openRows, sealer }).of([1, 30_000, 50_000]);
    await byIndex('open_reservations_car', 'case_files_car');
  });
});
