import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/store/connection/rows.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startPoolerPeer } from '../support/pooler-peer.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';
const lock = sql`select pg_advisory_xact_lock(1)`;

describe.skipIf(server === undefined).each([
  ['connected directly', async (url: string) => ({ url, close: async () => {} })],
  ['behind a pooler', startPoolerPeer],
])(`a statement that waits for a lock, %s (Postgres${without})`, (_, through) => {
  const own = ownDatabase(server ?? '');
  let database: HandoverDatabase;
  let holder: pg.Client;
  let close = async () => {};
  beforeAll(async () => {
    const address = await own();
    const way = await through(address);
    const within = { answerWithinMs: 400, promptWithinMs: 400 };
    database = await openHandoverDatabase({ url: way.url, folder: '', ...within });
    holder = new pg.Client(address);
    await holder.connect();
    await holder.query('select pg_advisory_lock(1)');
    close = async () => {
      await database.close();
      await holder.end();
      await way.close();
    };
  });
  afterAll(() => close());

  const waiting = async () =>
    (
      await holder.query(`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    ).rowCount;

  it.each(['db', 'prompt'] as const)('of `%s` fails, and leaves no process behind', async (name) => {
    const statements = [
      database[name].execute(lock),
      database[name].transaction((tx) => tx.execute(lock)),
    ].map((one) => expect(one).rejects.toThrow());
    await Promise.all(statements);
    await eventually('nothing waits on the server', async () => (await waiting()) === 0);
    await eventually('a statement works', async () => {
      const found = await database[name].execute(sql`select 1 as works`).catch(() => undefined);
      return found !== undefined && rowsOf<{ works: number }>(found)[0]?.works === 1;
    });
  });

  it.each(['db', 'prompt'] as const)(
    'a transaction of `%s` whose client is frozen ends on the server',
    async (name) => {
      const limit = sql`select current_setting('idle_in_transaction_session_timeout') as limit`;
      const found = await database[name].transaction((tx) => tx.execute(limit));
      expect(rowsOf<{ limit: string }>(found)).toEqual([{ limit: '10s' }]);
    },
  );

  it('a session of another client has the settings of the server', async () => {
    const { rows } = await holder.query("select current_setting('statement_timeout') as timeout");
    expect(rows).toEqual([{ timeout: '0' }]);
  });
});
