import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rowsOf } from '../../src/store/connection/rows.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const megabyte = 1024 * 1024;
const threads = [
  { ownThread: false, name: 'the embedded database' },
  { ownThread: true, name: 'the embedded database in a thread of its own' },
];

describe.each(threads)('$name', ({ ownThread }) => {
  const lane = embeddedLane({ ownThread });

  it('makes checkpoints while it is open: its log stays as long as a recovery can read, and the disk can hold', async () => {
    const database = await lane.open();
    onTestFinished(() => database.close());
    const read = async (statement: SQL) =>
      Number(rowsOf<{ value: string }>(await database.db.execute(statement))[0]?.value);
    const length = () =>
      read(sql`select (pg_current_wal_lsn() - redo_lsn)::text as value from pg_control_checkpoint()`);
    const onDisk = () => read(sql`select sum(size)::text as value from pg_ls_waldir()`);
    await database.db.execute(sql`create table written (text text)`);
    for (let part = 0; part < 10; part++)
      await database.db.execute(sql`
        insert into written select repeat(md5(${`${part}`} || n::text), 30) from generate_series(1, 10000) as n`);
    const written = await length();
    await eventually('a checkpoint', async () => (await length()) < megabyte, 30_000, 100);
    expect(written).toBeGreaterThan(64 * megabyte);
    expect(await onDisk()).toBeLessThan(130 * megabyte);
    expect(await read(sql`select count(*)::text as value from written`)).toBe(100_000);
  }, 60_000);
});
