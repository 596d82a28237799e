import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { candidates } from '../../src/inbox/replay/candidates.js';
import { backlog, countUnjudged } from '../../src/store/callbacks/backlog.js';
import { listInbox } from '../../src/store/callbacks/list.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import { onOneDatabase } from '../support/database.js';
import { recordQueries } from '../support/recorded-queries.js';

onOneDatabase('a large inbox', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
    await database.db.execute(sql`
      insert into inbox (identity, event_id, channel, path, reservation_id, received_at, headers, raw, content_hash,
        state, verdict, rule)
      select 'content', 'e' || n, 'status', '/x', 1 + n % 5000, now(), '{}', '\\x00', 'h' || n, 'done', 'applied', 'L18'
      from generate_series(1, 50000) n`);
    await database.db.execute(sql`update inbox set verdict = 'invalid', rule = 'L63' where id = 7`);
    await database.db.execute(sql`update inbox set state = 'sent', verdict = null where id = 8`);
    // a server gathers statistics by itself, the embedded database does not
    if (database.kind === 'postgres') await database.db.execute(sql`analyze inbox`);
  });
  afterAll(async () => {
    await database.db.delete(inbox);
    await database.close();
  });

  it('each filter of the inbox by verdict or state, and each watch, reads an index of its own', async () => {
    const { db, plans } = recordQueries(database);
    const byIndex = async (index: string) => {
      const found = await plans();
      expect(found.some((plan) => plan.includes(index))).toBe(true);
      for (const plan of found) expect(plan).not.toContain('Seq Scan');
    };
    expect((await listInbox(db, { verdict: 'invalid', limit: 50 })).items).toHaveLength(1);
    await byIndex('inbox_noteworthy');
    expect((await listInbox(db, { verdict: 'conflict', limit: 50 })).items).toEqual([]);
    await byIndex('inbox_noteworthy');
    expect((await listInbox(db, { state: 'sent', limit: 50 })).items).toHaveLength(1);
    await byIndex('inbox_sent');
    for await (const row of candidates(db, { verdict: 'invalid' }, 100, Date.now())) expect(row.id).toBe(7);
    await byIndex('inbox_noteworthy');
    await backlog(db);
    await byIndex('inbox_waiting');
    expect(await countUnjudged(db)).toBe(1);
    await byIndex('inbox_sent');
  });
});
