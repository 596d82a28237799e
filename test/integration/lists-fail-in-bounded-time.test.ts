import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { createReservationLists } from '../../src/store/reservations/lists.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { startApi, type TestApi } from '../support/api.js';
import { publicTestKey } from '../support/codec.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Line } from '../support/line.js';
import { openRows, storeOpen } from '../support/open-rows.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';
/** What is not bounded hangs until the test ends; a busy machine is no such thing. */
const boundMs = 15_000;
const unavailable = { status: 503, code: 'STORE_UNAVAILABLE' };

describe.skipIf(server === undefined)(`lists and the board, where the database (Postgres${without})`, () => {
  const own = ownDatabase(server ?? '');
  let line: Line;
  let beside: pg.Client;
  let database: HandoverDatabase;
  let api: TestApi;
  beforeAll(async () => {
    const address = await own();
    line = await Line.to(new URL(address));
    database = await openHandoverDatabase({ url: line.url, folder: '', poolSize: 1, promptWithinMs: 500 });
    beside = new pg.Client(address);
    await beside.connect();
    await storeOpen(database.db, { 1: {}, 2: {} });
    api = await startApi({
      lists: createReservationLists(database, openRows),
      alerts: createAlerts(database.prompt, { sealer: createSealer([publicTestKey]), post: false }),
    });
  });
  afterAll(async () => {
    await api?.close();
    line?.close();
    await database?.close();
    await beside?.end();
  });

  const ask = async (path: string) => {
    const { status, body } = await api.ask(path, { as: 'staff' });
    return status === 200 ? { status } : { status, code: body.code };
  };
  const both = () => Promise.all([ask('/api/reservations'), ask('/api/board')]);
  const areRead = () =>
    eventually('both are read', async () => (await both()).every(({ status }) => status === 200));
  /** Never an empty list. */
  const bothFail = async () => {
    const begun = Date.now();
    expect(await both()).toEqual([unavailable, unavailable]);
    expect(Date.now() - begun).toBeLessThan(boundMs);
  };
  beforeEach(areRead);

  it('is silent: they fail in bounded time, again and again, and are read when it answers again', async () => {
    line.fallSilent();
    await bothFail();
    await bothFail();
    line.comeBack();
    await areRead();
  });

  it('refuses connections', async () => {
    line.cut();
    await bothFail();
    line.comeBack();
    await areRead();
  });

  it('does not give the table in time: only they fail', async () => {
    await beside.query('begin; lock table open_reservations in access exclusive mode');
    try {
      await bothFail();
      expect(await ask('/api/reservations?closed=true')).toEqual({ status: 200 });
    } finally {
      await beside.query('rollback');
    }
    await areRead();
  });

  it('does not give the alerts in time: the board fails', async () => {
    await beside.query('begin; lock table alerts in access exclusive mode');
    try {
      const begun = Date.now();
      expect(await ask('/api/board')).toEqual(unavailable);
      expect(Date.now() - begun).toBeLessThan(boundMs);
      expect(await ask('/api/reservations')).toEqual({ status: 200 });
    } finally {
      await beside.query('rollback');
    }
    await areRead();
  });

  it('is busy with a long statement: both are read beside it', async () => {
    await beside.query('select pg_advisory_lock(1)');
    const long = Promise.resolve(database.db.execute(sql`select pg_advisory_xact_lock(1)`));
    const waits = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    try {
      await eventually('it is under way', async () => (await beside.query(waits)).rowCount === 1);
      expect(await both()).toEqual([{ status: 200 }, { status: 200 }]);
      expect((await beside.query(waits)).rowCount).toBe(1);
    } finally {
      await beside.query('select pg_advisory_unlock(1)');
    }
    await long;
  });

  it('has another form than expected', async () => {
    await beside.query('alter table open_reservations rename column attention to later');
    try {
      await bothFail();
    } finally {
      await beside.query('alter table open_reservations rename column later to attention');
    }
    await areRead();
  });
});
