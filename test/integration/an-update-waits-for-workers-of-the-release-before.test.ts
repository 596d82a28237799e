import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/connection/open.js';
import { handoverMigrations, openHandoverDatabase } from '../../src/store/handover.js';
import { whenListsAreReady } from '../../src/store/reservations/lists-ready.js';
import { ownDatabase } from '../support/database.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';
/** The newest migration of 0.3.0. */
const newestOfRelease = 18;

/** The migrations that 0.3.0 has. */
async function migrationsOfRelease(folder: string): Promise<string> {
  await cp(handoverMigrations(), folder, { recursive: true });
  const journal = join(folder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
  const released = entries.filter(({ idx }: { idx: number }) => idx <= newestOfRelease);
  await writeFile(journal, JSON.stringify({ ...rest, entries: released }));
  return folder;
}

const entryOf = (
  reservationId: number,
) => `insert into timeline (reservation_id, seq, at, kind, rule, text, data)
  values (${reservationId}, 1, now(), 'timer', 'L41', 'it is late', '{}')`;

describe.skipIf(server === undefined)(`an update of the tables (Postgres${without})`, () => {
  const own = ownDatabase(server ?? '');
  const ownNew = ownDatabase(server ?? '');
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

  it('waits for workers of 0.3.0 that record verdicts and timeline entries: none fails', async () => {
    await worker.query('begin');
    await worker.query("update inbox set state = 'done' where id = -1");
    const update = openHandoverDatabase({ url: address, folder: '' });
    const waitsFor = async () => {
      const { rows } = await beside.query(
        `select relation::regclass::text as waits from pg_locks
         where not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.map(({ waits }) => waits);
    };
    await expect.poll(waitsFor, { timeout: 20_000 }).toEqual(['inbox']);
    await second.query('begin');
    await second.query('select from timeline limit 1');
    await worker.query(entryOf(7));
    await worker.query('commit');
    await expect.poll(waitsFor, { timeout: 20_000 }).toEqual(['timeline']);
    await second.query(entryOf(8));
    await second.query('commit');
    await (await update).close();
    const { rows } = await beside.query('select count(*)::int as entries from timeline');
    expect(rows).toEqual([{ entries: 2 }]);
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
