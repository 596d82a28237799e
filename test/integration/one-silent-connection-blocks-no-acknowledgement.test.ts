import { randomBytes } from 'node:crypto';
import { asc, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { inbox, outbox } from '../../src/store/schema.js';
import { statusArrival } from '../support/arrivals.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';
import { Line } from '../support/line.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';

/** One without an id of its own: known by its content. */
const byContent = (content: string, reservationId: number, receivedAt = 1_000) =>
  statusArrival(content, reservationId, { identity: 'content', receivedAt });

describe.skipIf(server === undefined)(`a database connection that falls silent (Postgres${without})`, () => {
  const own = ownDatabase(server ?? '');
  let line: Line;
  let database: HandoverDatabase;
  /** The same database by a line of its own. */
  let beside: HandoverDatabase;
  beforeEach(async () => {
    const address = await own();
    line = await Line.to(new URL(address));
    database = await openHandoverDatabase({ url: line.url, folder: '' });
    beside = await openHandoverDatabase({ url: address, folder: '' });
    await beside.db.delete(inbox);
    await beside.db.delete(outbox);
  });
  afterEach(async () => {
    line.close();
    await Promise.all([database.close(), beside.close()]);
  });
  const rows = async () =>
    (await beside.db.select().from(inbox).orderBy(asc(inbox.id))).map(({ eventId, copies }) => [
      eventId,
      copies,
    ]);

  it('delays only the callbacks on it: others are acknowledged meanwhile, and the delayed ones are written again', async () => {
    const store = createInboxStore(database, sealer);
    await store.store(statusArrival('first', 1));
    line.silenceOpen();
    let isAcknowledged = false;
    const silent = store.store(statusArrival('silent', 2)).then(() => {
      isAcknowledged = true;
    });
    const others = Array.from({ length: 20 }, (_, index) => statusArrival(`other ${index}`, 10 + index));
    await new Promise((resolve) => setImmediate(resolve)); // those come when it is on its way
    await new Promise((resolve) => setImmediate(resolve));
    const sameReservation = store.store(statusArrival('silent, later', 2));
    await Promise.all(others.map((one) => store.store(one)));
    expect(isAcknowledged).toBe(false);
    await Promise.all([silent, sameReservation]);
    const ids = (await rows()).map(([id]) => id);
    expect(ids).toHaveLength(23);
    expect(ids.indexOf('silent')).toBeLessThan(ids.indexOf('silent, later'));
  });

  it('leaves one row where only the answer was lost, which is forwarded once, and holds no lock meanwhile', async () => {
    const store = createInboxStore(database, sealer, { forwards: true });
    await store.store(statusArrival('first', 1));
    line.silenceOpen('requests');
    const silent = Promise.all([
      store.store(statusArrival('silent', 2)),
      store.store(byContent('without an id', 2, 2_000)),
    ]);
    await eventually('it is committed', async () => (await rows()).length === 3);
    // another receiver, before the first one abandons its connection
    await createInboxStore(beside, sealer).store(statusArrival('by another', 2));
    await silent;
    expect((await rows()).map(([id]) => id)).toEqual(['first', 'silent', 'without an id', 'by another']);
    expect(await beside.db.select().from(outbox)).toHaveLength(3);
  });

  it.each([
    ['with an id', statusArrival('late', 2)],
    ['without one', byContent('late', 2)],
  ])('leaves one row where the abandoned commit reaches the server later, %s', async (_, late) => {
    const store = createInboxStore(database, sealer);
    await store.store(byContent('first', 2, 500));
    line.silenceAt('insert into inbox');
    await store.store(late);
    // what came since would make the same content a new event
    await store.store(byContent('since', 2, 3_000));
    const [{ now } = { now: '' }] = rowsOf<{ now: string }>(
      await beside.db.execute(sql`select clock_timestamp()::text as now`),
    );
    const [port = 0] = line.deliverHeld();
    const other = createInboxStore(beside, sealer);
    await other.store(statusArrival('after it', 2));
    await eventually('the server is done with it', async () => {
      const sessions = await beside.db.execute(sql`
        select 1 from pg_stat_activity
        where client_port = ${port} and state = 'idle' and state_change > ${now}::timestamptz`);
      return rowsOf(sessions).length > 0;
    });
    expect((await rows()).map(([id]) => id)).toEqual(['first', 'late', 'since', 'after it']);
  });

  it('holds no lock where it falls silent while it sends: another receiver stores the same reservation', async () => {
    const store = createInboxStore(database, sealer);
    await store.store(statusArrival('first', 2));
    line.silenceAt('end of its values');
    const large = { raw: randomBytes(1024 * 1024), contentHashes: ['end of its values'] as [string] };
    const silent = store.store(statusArrival('silent', 2, large));
    await eventually('the server has a part of it', async () => {
      const sessions = await beside.db.execute(sql`
        select 1 from pg_stat_activity
        where datname = current_database() and state = 'active' and query like ${'%insert into inbox%'}
          and pid <> pg_backend_pid()`);
      return rowsOf(sessions).length > 0;
    });
    await createInboxStore(beside, sealer).store(statusArrival('by another', 2));
    await silent;
    expect((await rows()).map(([id]) => id)).toEqual(['first', 'by another', 'silent']);
  });

  it('and one that breaks, of a server that is away for a moment: callbacks wait for it, and none is refused', async () => {
    const store = createInboxStore(database, sealer);
    await store.store(statusArrival('first', 1));
    line.cut();
    const during = Array.from({ length: 20 }, (_, index) =>
      store.store(statusArrival(`during ${index}`, 10 + index)),
    );
    await eventually('some were refused', async () => line.refused >= 2);
    line.comeBack();
    await Promise.all(during);
    expect(await rows()).toHaveLength(21);
    expect((await rows()).every(([, copies]) => copies === 1)).toBe(true);
  });

  it('fails a callback in bounded time where no connection answers, and stores it when one does', async () => {
    const store = createInboxStore(database, sealer);
    await store.store(statusArrival('first', 1));
    line.fallSilent();
    await expect(store.store(statusArrival('silent', 2))).rejects.toThrow();
    line.comeBack();
    await store.store(statusArrival('silent', 2));
    expect(await rows()).toEqual([
      ['first', 1],
      ['silent', 1],
    ]);
  });
});
