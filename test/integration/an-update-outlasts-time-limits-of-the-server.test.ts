import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrationsOfRelease } from '../../bench/migrations/release.js';
import { openDatabase } from '../../src/store/connection/open.js';
import { openServerSession } from '../../src/store/connection/session.js';
import { handoverMigrations, openHandoverDatabase } from '../../src/store/handover.js';
import { startPoolerPeer } from '../support/pooler-peer.js';
import { createOnServer } from '../support/server-database.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';
/** The migration before the one that builds indexes of the audit concurrently. */
const beforeIndexes = 26;
/** The migration before one that changes `timeline` in a transaction. */
const beforeTriggers = 19;
const limitMs = 1_000;
const migrationLock = `locktype = 'advisory' and classid = 0 and objid = 1751215716 and granted
  and database = (select oid from pg_database where datname = current_database())`;

const directly = async (url: string) => ({ url, close: async () => {} });

/** A database with the migrations of a release, and what this test does beside an update of it. */
interface Outdated {
  url: string;
  /** Has a transaction that writes to `table`, and no time limit. */
  writer: pg.Client;
  beside: pg.Client;
}

describe.skipIf(server === undefined)(`an update of the tables (Postgres${without})`, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'handover-limits-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Until the end of the test. */
  async function outdated(newest: number, table: string): Promise<Outdated> {
    const { url, drop } = await createOnServer(server ?? '');
    const connect = () => new pg.Client({ connectionString: url, application_name: 'test' });
    const [writer, beside] = [connect(), connect()];
    onTestFinished(async () => {
      await Promise.all([writer, beside].map((one) => one.end()));
      await drop();
    });
    const migrations = await migrationsOfRelease(join(folder, `${newest}`), newest);
    await (await openDatabase({ url, folder: '', tables: {}, migrations })).close();
    await Promise.all([writer, beside].map((one) => one.connect()));
    await writer.query('begin');
    await writer.query(`lock table ${table} in row exclusive mode`);
    return { url, writer, beside };
  }

  /** For connections from now on. */
  async function limit({ url, beside }: Outdated, setting: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    await beside.query(`alter role current_user in database ${name} set ${setting} = '${limitMs}ms'`);
  }

  function startUpdate(url: string) {
    const update = openHandoverDatabase({ url, folder: '' });
    update.catch(() => {}); // a test that fails before awaits it no more
    return update;
  }

  /** Milliseconds for which an index has been built, for a process that holds the migration lock; 0: none is. */
  async function builtForMs({ beside }: Outdated): Promise<number> {
    const { rows } = await beside.query(`
      select coalesce(max(extract(epoch from clock_timestamp() - query_start)) * 1000, 0)::int as ms
      from pg_stat_activity where datname = current_database() and state = 'active'
        and query ~* '^\\s*create index concurrently' and exists (select from pg_locks where ${migrationLock})`);
    return rows[0].ms;
  }

  async function expectUpToDate({ beside }: Outdated): Promise<void> {
    const { rows } = await beside.query(`
      select count(*)::int as applied, count(distinct created_at)::int as different,
        (select count(*)::int from pg_index where not indisvalid) as invalid
      from drizzle.__drizzle_migrations`);
    const { length } = await known();
    expect(rows).toEqual([{ applied: length, different: length, invalid: 0 }]);
  }

  it.for([
    ['statement_timeout', 'connected directly', directly],
    ['lock_timeout', 'connected directly', directly],
    ['transaction_timeout', 'connected directly', directly],
    ['idle_in_transaction_session_timeout', 'connected directly', directly],
    ['idle_in_transaction_session_timeout', 'behind a pooler', startPoolerPeer],
  ] as const)(
    'builds an index for longer than `%s`, and holds the migration lock, %s',
    async ([setting, , through], context) => {
      const database = await outdated(beforeIndexes, 'audit');
      const { rowCount } = await database.beside.query('select from pg_settings where name = $1', [setting]);
      context.skip(rowCount === 0, 'of a newer Postgres');
      await limit(database, setting);
      const way = await through(database.url);
      const update = startUpdate(way.url);
      await expect.poll(() => builtForMs(database), { timeout: 15_000 }).toBeGreaterThan(2 * limitMs);
      await database.writer.query('commit');
      await (await update).close();
      await way.close();
      await expectUpToDate(database);
    },
  );

  it('a change in a transaction has no limit for a statement, and one for a frozen process, behind a pooler too', async () => {
    const database = await outdated(beforeIndexes, 'audit');
    await limit(database, 'statement_timeout');
    const migrations = join(folder, 'limits');
    await mkdir(join(migrations, 'meta'), { recursive: true });
    const entry = { idx: 0, version: '7', when: 9_000_000_000_000, tag: '0000_limits', breakpoints: true };
    await writeFile(join(migrations, 'meta/_journal.json'), JSON.stringify({ entries: [entry] }));
    await writeFile(
      join(migrations, '0000_limits.sql'),
      `create table limits as select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    const pooler = await startPoolerPeer(database.url);
    await (await openDatabase({ url: pooler.url, folder: '', tables: {}, migrations })).close();
    await pooler.close();
    const { rows } = await database.beside.query('select * from limits');
    expect(rows).toEqual([{ statement: '0', idle: '30s' }]);
  });

  it('waits for its turn for longer than `idle_session_timeout`', async () => {
    const database = await outdated(beforeIndexes, 'audit');
    const { writer, beside } = database;
    await writer.query('select pg_advisory_xact_lock(1751215716)');
    await limit(database, 'idle_session_timeout');
    const update = startUpdate(database.url);
    await expect.poll(() => idleForMs(beside), { timeout: 15_000 }).toBeGreaterThan(2 * limitMs);
    await writer.query('commit');
    await (await update).close();
    await expectUpToDate(database);
  });

  it('names the time limit that cuts an index off behind a pooler, and the next start repairs the index', async () => {
    const database = await outdated(beforeIndexes, 'audit');
    await limit(database, 'statement_timeout');
    const pooler = await startPoolerPeer(database.url);
    await expect(startUpdate(pooler.url)).rejects.toMatchObject({
      code: 'DATABASE_NOT_MIGRATED',
      message: expect.stringMatching(/57014.+statement_timeout = 1s.+direct connection/),
    });
    await pooler.close();
    await database.writer.query('commit');
    await (await startUpdate(database.url)).close();
    await expectUpToDate(database);
  });

  it('stops at once where the connection that holds the migration lock ends, and the next start completes it', async () => {
    const database = await outdated(beforeIndexes, 'audit');
    const { writer, beside, url } = database;
    const update = startUpdate(url);
    await expect.poll(() => builtForMs(database), { timeout: 15_000 }).toBeGreaterThan(0);
    await beside.query(`select pg_terminate_backend(pid) from pg_locks where ${migrationLock}`);
    await expect(update).rejects.toMatchObject({
      code: 'DATABASE_MIGRATING',
      message: expect.stringMatching(/a connection to the database ended \(57P01\)/),
    });
    const again = startUpdate(url);
    await writer.query('commit');
    await (await again).close();
    await expectUpToDate(database);
  });

  it('takes back a change that another process made meanwhile: it is recorded once', async () => {
    const { url, writer, beside } = await outdated(beforeTriggers, 'timeline');
    const update = startUpdate(url);
    const waiting = `select from pg_locks where relation = 'timeline'::regclass and not granted`;
    await expect
      .poll(async () => (await beside.query(waiting)).rowCount, { timeout: 15_000, interval: 5 })
      .toBe(1);
    const next = (await known())[beforeTriggers + 1];
    const insert = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)';
    await beside.query(insert, ['of another process', next]);
    await writer.query('commit');
    await expect(update).rejects.toMatchObject({
      code: 'DATABASE_MIGRATING',
      message: expect.stringContaining('another process has made the same change'),
    });
    const { rows } = await beside.query(
      `select hash, (select count(*)::int from pg_trigger where tgname = 'timeline_changed') as triggers
       from drizzle.__drizzle_migrations where created_at = $1`,
      [next],
    );
    expect(rows).toEqual([{ hash: 'of another process', triggers: 0 }]);
  });

  it('a session that listens is open for longer than `idle_session_timeout`', async () => {
    const database = await outdated(beforeIndexes, 'audit');
    await limit(database, 'idle_session_timeout');
    const session = await openServerSession(database.url);
    try {
      await expect.poll(() => idleForMs(database.beside), { timeout: 15_000 }).toBeGreaterThan(2 * limitMs);
      expect(await session.readLeases(['relay'])).toEqual([]);
    } finally {
      await session.close();
    }
  });
});

/** For how long a session of Handover has been idle; 0: none is. */
async function idleForMs(beside: pg.Client): Promise<number> {
  const { rows } = await beside.query(`
    select coalesce(max(extract(epoch from clock_timestamp() - state_change)) * 1000, 0)::int as ms
    from pg_stat_activity where datname = current_database() and state = 'idle' and application_name <> 'test'`);
  return rows[0].ms;
}

/** Moments of all migrations, by which they are recorded. */
async function known(): Promise<number[]> {
  const journal = JSON.parse(await readFile(join(handoverMigrations(), 'meta/_journal.json'), 'utf8'));
  return journal.entries.map(({ when }: { when: number }) => when);
}
