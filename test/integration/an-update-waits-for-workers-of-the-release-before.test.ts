import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrationsOfRelease, newestOfRelease } from '../../bench/migrations/release.js';
import { openDatabase } from '../../src/store/connection/open.js';
import { handoverMigrations, openHandoverDatabase } from '../../src/store/handover.js';
import { whenListsAreReady } from '../../src/store/reservations/lists-ready.js';
import { ownDatabase } from '../support/database.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';
/** The migration before the one that builds indexes of the audit concurrently. */
const beforeIndexes = 26;

/** Until the end of the test. */
async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const entryOf = (
  reservationId: number,
) => `insert into timeline (reservation_id, seq, at, kind, rule, text, data)
  values (${reservationId}, 1, now(), 'timer', 'L41', 'it is late', '{}')`;

describe.skipIf(server === undefined)(`an update of the tables (Postgres${without})`, () => {
  const own = ownDatabase(server ?? '');
  const ownNew = ownDatabase(server ?? '');
  const ownLocked = ownDatabase(server ?? '');
  const ownCutOff = ownDatabase(server ?? '');
  const ownStillBuilt = ownDatabase(server ?? '');
  let folder: string;
  let address: string;
  let worker: pg.Client;
  let second: pg.Client;
  let beside: pg.Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'handover-release-'));
    address = await own();
    const migrations = await migrationsOfRelease(join(folder, 'migrations'));
    await (await openDatabase({ url: address, folder: '', tables: {}, migrations })).close();
    worker = new pg.Client(address);
    second = new pg.Client(address);
    beside = new pg.Client(address);
    await Promise.all([worker, second, beside].map((one) => one.connect()));
  });
  afterAll(async () => {
    await Promise.all([worker, second, beside].map((one) => one?.end()));
    await rm(folder, { recursive: true, force: true });
  });

  it('waits for a transaction of a worker of 0.3.0, and lets what comes meanwhile pass: none fails', async () => {
    await worker.query('begin');
    await worker.query("update inbox set state = 'done' where id = -1");
    const update = openHandoverDatabase({ url: address, folder: '' });
    const newest = async () => {
      const { rows } = await beside.query('select max(id)::int as id from drizzle.__drizzle_migrations');
      return rows[0].id as number;
    };
    await expect.poll(newest, { timeout: 20_000 }).toBe(newestOfRelease + 2);
    // it asks for the lock again and again: the worker's later statements meet both, and none waits until the worker commits
    for (let entry = 0; entry < 20; entry++) await second.query(entryOf(1_000 + entry));
    await worker.query(entryOf(7));
    await worker.query('commit');
    await (await update).close();
    const { rows } = await beside.query('select count(*)::int as entries from timeline');
    expect(rows).toEqual([{ entries: 21 }]);
  });

  it('gives up with one error where a session holds a table all the time, and changes nothing of that step', async () => {
    const url = await ownLocked();
    const migrations = await migrationsOfRelease(join(folder, 'locked'));
    await (await openDatabase({ url, folder: '', tables: {}, migrations })).close();
    const holder = await connected(url);
    await holder.query('begin');
    await holder.query('select from timeline limit 1');
    const migrationLimits = { lockMs: 20, retryMs: 100 };
    const opening = () =>
      openDatabase({ url, folder: '', tables: {}, migrations: handoverMigrations(), migrationLimits });
    await expect(opening()).rejects.toMatchObject({
      code: 'DATABASE_MIGRATING',
      message: expect.stringContaining('a session holds one all the time'),
    });
    await holder.query('rollback');
    await (await opening()).close();
  });

  it('waits a limited time for another process that changes the tables, and names it', async () => {
    const url = await ownLocked();
    const other = await connected(url);
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(1751215716)');
    const migrationLimits = { turnMs: 100 };
    await expect(
      openDatabase({ url, folder: '', tables: {}, migrations: handoverMigrations(), migrationLimits }),
    ).rejects.toMatchObject({
      code: 'DATABASE_MIGRATING',
      message: expect.stringMatching(/another process .+\(backend \d+ of/),
    });
  });

  it('has no transaction of its own from one look to the next while it waits: an index that the other builds concurrently would wait for its end', async () => {
    const url = await ownLocked();
    const [other, client] = [await connected(url), await connected(url)];
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(1751215716)');
    const { rows: own } = await other.query('select pg_backend_pid() as pid');
    const opening = openHandoverDatabase({ url, folder: '' });
    const begun = async () => {
      const { rows } = await client.query(`select xact_start as at from pg_stat_activity
        where datname = current_database() and pid not in (${own[0].pid}, pg_backend_pid())
          and xact_start is not null order by 1`);
      return rows[0]?.at ?? null;
    };
    await expect.poll(begun).not.toBeNull();
    const first = await begun();
    await expect.poll(begun, { interval: 1 }).not.toEqual(first);
    await other.query('rollback');
    await (await opening).close();
  });

  it('builds an index again that was cut off', async () => {
    const url = await ownCutOff();
    const migrations = await migrationsOfRelease(join(folder, 'cut-off'), beforeIndexes);
    await (await openDatabase({ url, folder: '', tables: {}, migrations })).close();
    const client = await connected(url);
    await client.query('create index audit_at on audit (at)');
    await client.query(`update pg_index set indisvalid = false where indexrelid = 'audit_at'::regclass`);
    await (await openHandoverDatabase({ url, folder: '' })).close();
    const { rows } = await client.query(
      `select indisvalid from pg_index where indexrelid = 'audit_at'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  it('waits for an index that the server still builds for a process that was killed, and leaves it as it is', async () => {
    const url = await ownStillBuilt();
    const migrations = await migrationsOfRelease(join(folder, 'still-built'), beforeIndexes);
    await (await openDatabase({ url, folder: '', tables: {}, migrations })).close();
    const [writer, killed, client] = [await connected(url), await connected(url), await connected(url)];
    // a build waits for all writers that it finds
    await writer.query('begin');
    await writer.query('lock table audit in row exclusive mode');
    const built = killed.query('create index concurrently audit_at on audit (at)');
    const indexId = async () => {
      const { rows } = await client.query(
        'select indexrelid as id, indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
        ['audit_at'],
      );
      return rows[0];
    };
    await expect.poll(indexId).toMatchObject({ valid: false });
    const { id } = await indexId();
    const update = openHandoverDatabase({ url, folder: '' });
    const deals = `select count(*)::int as count from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and query ~ '(pg_stat_progress_create_index|^drop index)'`;
    await expect.poll(async () => (await client.query(deals)).rows[0].count).toBe(1);
    await writer.query('commit');
    await built;
    await (await update).close();
    expect(await indexId()).toEqual({ id, valid: true });
  });

  it('leaves lists incomplete until they are rebuilt; those of a new database are complete', async () => {
    const isComplete = async (url: string) => {
      const database = await openHandoverDatabase({ url, folder: '' });
      const read = whenListsAreReady(database.prompt)(async () => true);
      return read()
        .catch((error: Error) => error.name)
        .finally(() => database.close());
    };
    expect(await isComplete(address)).toBe('ListsNotReadyError');
    expect(await isComplete(await ownNew())).toBe(true);
  });
});
