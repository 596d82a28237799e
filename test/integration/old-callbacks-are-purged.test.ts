import { asc, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { housekeeping } from '../../src/inbox/housekeeping.js';
import { purgeOld } from '../../src/inbox/retention.js';
import { backlog } from '../../src/store/callbacks/backlog.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { recordVerdicts } from '../../src/store/callbacks/verdicts.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { inbox, inboxReplays } from '../../src/store/schema.js';
import { statusArrival } from '../support/arrivals.js';
import { statusBody } from '../support/callbacks.js';
import { onEveryDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';

const day = 86_400_000;
const now = Date.parse('2026-11-21T00:00:00Z');

onEveryDatabase('the retention of callbacks', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    await database.db.delete(inbox);
    await database.db.delete(inboxReplays);
  });
  afterAll(() => database.close());

  let events = 0;
  const store = (daysAgo: number, eventId = `msg_${events++}`) =>
    createInboxStore(database, sealer).store(
      statusArrival(eventId, 1, {
        receivedAt: now - daysAgo * day,
        headers: { 'user-agent': 'x' },
        raw: Buffer.from(statusBody(1, 10)),
      }),
    );
  const rows = () => database.db.select().from(inbox).orderBy(asc(inbox.id));
  const set = (state: string, ...events: string[]) =>
    database.db.execute(sql`
      update inbox set state = ${state}, verdict = case when ${state} = 'done' then 'applied' end
      where event_id in (select jsonb_array_elements_text(${JSON.stringify(events)}::text::jsonb))`);
  const options = () => ({
    db: database.db,
    bodiesMs: 30 * day,
    verdictsMs: 365 * day,
    batch: 2,
    pauseMs: 0,
  });

  it('an event with a verdict loses body and headers after INTAKE_RETENTION, keeps its verdict, and its repeat is still recognised', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await store(31, id);
    await store(29, 'young');
    await set('done', 'a', 'b', 'c', 'd', 'e', 'young');
    expect(await purgeOld(options(), now)).toEqual({ purged: 5, removed: 0 });
    expect((await rows()).map(({ raw, headers, verdict }) => [raw === null, headers, verdict])).toEqual([
      ...['a', 'b', 'c', 'd', 'e'].map(() => [true, {}, 'applied']),
      [false, { 'user-agent': 'x' }, 'applied'],
    ]);
    await store(0, 'a');
    expect((await rows())[0]).toMatchObject({ eventId: 'a', copies: 2, verdict: 'applied' });
    expect(await rows()).toHaveLength(6);
    expect(await purgeOld(options(), now)).toEqual({ purged: 0, removed: 0 });
  });

  it('rows that are dated in the future delay no other row, and are purged by the date of their verdict', async () => {
    for (const id of ['f-1', 'f-2', 'f-3']) await store(-400, id);
    for (const id of ['a', 'b', 'c']) await store(400, id);
    await set('done', 'f-1', 'f-2', 'f-3', 'a', 'b', 'c');
    await database.db.update(inbox).set({ verdictAt: now - 2 * day });
    const ids = async () => (await rows()).map(({ eventId }) => eventId);
    expect(await purgeOld(options(), now)).toEqual({ purged: 3, removed: 3 });
    expect(await ids()).toEqual(['f-1', 'f-2', 'f-3']);
    await database.db.update(inbox).set({ verdictAt: now - 31 * day });
    expect(await purgeOld(options(), now)).toEqual({ purged: 3, removed: 0 });
    await database.db.update(inbox).set({ verdictAt: now - 366 * day });
    expect(await purgeOld(options(), now)).toEqual({ purged: 0, removed: 3 });
  });

  it('an event without a verdict is never purged, however old: a dead letter waits for a person', async () => {
    for (const id of ['waiting', 'sent', 'dead']) await store(1_000, id);
    await set('sent', 'sent');
    await set('dead', 'dead');
    expect(await purgeOld(options(), now)).toEqual({
      purged: 0,
      removed: 0,
    });
    expect((await rows()).map(({ state, raw }) => [state, raw === null])).toEqual([
      ['received', false],
      ['sent', false],
      ['dead', false],
    ]);
  });

  it('after INTAKE_VERDICT_RETENTION the row is deleted with its replays; a waiting row is never deleted', async () => {
    for (const id of ['waiting', 'old-1', 'old-2', 'old-3']) await store(400, id);
    await store(300, 'younger');
    await set('done', 'old-1', 'old-2', 'old-3', 'younger');
    const [, old, , , younger] = await rows();
    for (const row of [old, younger])
      await database.db.insert(inboxReplays).values({
        inboxId: row?.id ?? 0,
        replay: 1,
        at: now,
        by: 'kim',
        state: 'done',
        failures: 0,
      });
    expect(await purgeOld(options(), now)).toEqual({ purged: 4, removed: 3 });
    expect((await rows()).map(({ eventId }) => eventId)).toEqual(['waiting', 'younger']);
    expect(await database.db.select().from(inboxReplays)).toMatchObject([{ inboxId: younger?.id }]);
  });

  it('a stop ends the purge between two batches, and the next start continues', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await store(31, id);
    await set('done', 'a', 'b', 'c', 'd');
    let looks = 0;
    expect(await purgeOld(options(), now, () => looks++ >= 1)).toMatchObject({ purged: 2 });
    expect(await purgeOld(options(), now)).toMatchObject({ purged: 2 });
  });

  it('the inbox reports how many events wait and since when, the newest event, and the dead letters', async () => {
    expect(await backlog(database.db)).toEqual({
      events: 0,
      oldestAt: null,
      unjudgedAt: null,
      newestAt: null,
      deadLetters: 0,
      resends: 0,
    });
    for (const [index, id] of ['judged', 'w-1', 'w-2', 'dead'].entries()) await store(10 - index, id);
    await recordVerdicts(database.db, (await rows()).slice(0, 1), {
      verdict: 'invalid',
      rule: 'L63',
      at: now,
    });
    await set('dead', 'dead');
    expect(await backlog(database.db)).toEqual({
      events: 2,
      oldestAt: now - 9 * day,
      unjudgedAt: null,
      newestAt: now - 7 * day,
      deadLetters: 1,
      resends: 0,
    });
  });

  it('the active process purges, and an embedded database does not grow: it reuses the space of deleted rows', async () => {
    const size = async () => {
      const result = await database.db.execute(sql`select pg_table_size('inbox')::int as bytes`);
      return rowsOf<{ bytes: number }>(result)[0]?.bytes ?? 0;
    };
    const cycle = async () => {
      await database.db.execute(sql`
        insert into inbox (identity, event_id, channel, path, reservation_id, received_at, headers, raw, content_hash)
        select 'content', 'x', 'status', '/x', 1, '2020-01-01', '{}', decode(repeat('ab', 1500), 'hex'), 'x'
        from generate_series(1, 500)`);
      await database.db.execute(sql`update inbox set state = 'done', verdict = 'applied'`);
      const duties = housekeeping({
        database,
        alerts: { raise: async () => true, clear: async () => true },
        settings: { backlogAfterMs: day, silenceAfterMs: null, bodiesMs: 1, verdictsMs: 1 },
        log: pino({ level: 'silent' }),
        lease: { name: 'relay', epoch: 0, remainingMs: () => 1 },
      });
      for (const duty of duties) duty.start();
      await eventually('all is purged and removed', async () => (await rows()).length === 0);
      for (const duty of duties) await duty.stop();
      if (database.kind === 'postgres') await database.db.execute(sql`vacuum inbox`);
    };
    await cycle();
    await cycle();
    const settled = await size();
    for (let i = 0; i < 3; i++) await cycle();
    expect(await size()).toBeLessThanOrEqual(settled * 1.5);
  });
});
