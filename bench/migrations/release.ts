import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { handoverMigrations } from '../../src/store/handover.js';

/** The newest migration of 0.3.0. */
export const newestOfRelease = 18;

/**
 * The migrations up to one of them.
 * @param folder where they are written; absent: a new one
 * @param newest number of the last; absent: that of 0.3.0
 * @returns their folder
 */
export async function migrationsOfRelease(folder?: string, newest = newestOfRelease): Promise<string> {
  const copy = folder ?? (await mkdtemp(join(tmpdir(), 'handover-migrations-')));
  await cp(handoverMigrations(), copy, { recursive: true });
  const journal = join(copy, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
  const released = entries.filter(({ idx }: { idx: number }) => idx <= newest);
  await writeFile(journal, JSON.stringify({ ...rest, entries: released }));
  return copy;
}

/** As many callbacks, timeline entries and entries of the audit as `rows`, of a hundredth as many reservations. */
export async function fillTables(url: string, rows: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `insert into inbox (identity, event_id, channel, path, reservation_id, received_at, headers, content_hash, state, verdict, raw)
     select 'content', 'event-' || n, 'update', '/events/reservation/update', n % $1::integer, now() - n * interval '1 second', '{}',
       md5(n::text), 'done', 'applied', convert_to(repeat(md5(n::text), 36), 'UTF8')
     from generate_series(1, $2::integer) as n`,
    [rows / 100, rows],
  );
  await client.query(
    `insert into timeline (reservation_id, seq, at, kind, rule, text, data, identity)
     select n % $1::integer, n / $1::integer, now() - n * interval '1 second', case when n % 3 = 0 then 'command' else 'event' end, 'L10',
       repeat(md5(n::text), 3), case when n % 3 = 0 then '{"by":"staff-1"}'::jsonb else '{}'::jsonb end, 'entry-' || n
     from generate_series(1, $2::integer) as n`,
    [rows / 100, rows],
  );
  await client.query('analyze');
  await client.end();
}
