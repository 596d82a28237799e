import { setTimeout as sleep, setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../src/domain/shared/deferred.js';
import { databaseErrorCode } from '../../src/store/connection/errors.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { attempts } from '../../src/store/schema.js';
import { embeddedLane } from '../support/database.js';

const threads = [
  { ownThread: false, name: 'the embedded database' },
  { ownThread: true, name: 'the embedded database in a thread of its own' },
];

describe.each(threads)('$name', ({ ownThread }) => {
  const lane = embeddedLane({ ownThread });
  const closing = embeddedLane({ ownThread });
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());

  const read = async <Row>(statement: SQL) => rowsOf<Row>(await database.db.execute(statement));
  const prepared = () =>
    read<{ name: string; statement: string }>(sql`select name, statement from pg_prepared_statements`);
  const preparedAs = async (part: string) =>
    (await prepared()).filter(({ statement }) => statement.includes(part));

  it('reads values of every kind as they were written, in each run of a statement', async () => {
    const values = () => sql`select
      ${'text'}::text as t, ${null}::text as n, ${7}::integer as i, ${2 ** 40}::bigint as b, ${true}::boolean as y,
      ${Buffer.from([0, 255])}::bytea as raw, ${JSON.stringify({ a: [1, null] })}::jsonb as j,
      ${'2026-11-22T00:00:00Z'}::timestamptz as at, array[1, 2]::integer[] as many`;
    const [first] = await read<Record<string, unknown>>(values());
    expect(first).toMatchObject({
      t: 'text',
      n: null,
      i: 7,
      b: 2 ** 40,
      y: true,
      j: { a: [1, null] },
      many: [1, 2],
    });
    expect(Buffer.from(first?.raw as Uint8Array)).toEqual(Buffer.from([0, 255]));
    expect(new Date(String(first?.at)).toISOString()).toBe('2026-11-22T00:00:00.000Z');
    expect((await read(values()))[0]).toEqual(first);
  });

  it('parses a statement once, and again after ten seconds, because its tables may have grown', async () => {
    const once = () => read(sql`select ${1}::integer as parsed_once`);
    await once();
    const [first] = await preparedAs('parsed_once');
    await once();
    expect(await preparedAs('parsed_once')).toEqual([first]);
    const again = async () => {
      await once();
      const prepared = await preparedAs('parsed_once');
      expect(prepared).toHaveLength(1);
      expect(prepared[0]?.name).not.toBe(first?.name);
    };
    await vi.waitFor(again, { timeout: 20_000, interval: 500 });
  });

  it('G33: a commit that a sender of callbacks waits for goes before what waits already', async () => {
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const begun = deferred();
    const { promise: ended, resolve: end } = deferred();
    const first = database.db
      .transaction(() => {
        begun.resolve();
        return ended;
      })
      .then(note('transaction'));
    await begun.promise;
    const others = ['a', 'b'].map((name) => read(sql`select ${name}::text`).then(note(name)));
    const second = database.db
      .transaction((tx) => tx.execute(sql`select 1`))
      .then(note('another transaction'));
    await turnOfEventLoop();
    const commit = database.commit({ statements: [sql`select 1`, sql`select 2`], inOrderOf: [] });
    const noted = commit.then(note('commit'));
    await turnOfEventLoop();
    end();
    await Promise.all([first, ...others, second, noted]);
    expect(order.slice(0, 2)).toEqual(['transaction', 'commit']);
    expect(order).toHaveLength(5);
  });

  it('a statement that waits has its turn after one commit, however many commits wait', async () => {
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const begun = deferred();
    const { promise: ended, resolve: end } = deferred();
    const first = database.db.transaction(() => {
      begun.resolve();
      return ended;
    });
    await begun.promise;
    const others = ['a', 'b'].map((name) => read(sql`select ${name}::text`).then(note(name)));
    const commits = Array.from({ length: 4 }, () =>
      database.commit({ statements: [sql`select 1`], inOrderOf: [] }).then(note('commit')),
    );
    await turnOfEventLoop();
    end();
    await Promise.all([first, ...others, ...commits]);
    expect(order).toEqual(['commit', 'a', 'commit', 'b', 'commit', 'commit']);
  });

  it('runs what waits before it closes', async () => {
    const own = await closing.open();
    const { promise: ended, resolve: end } = deferred();
    const first = own.db.transaction(() => ended);
    const waiting = ['a', 'b', 'c'].map((name) =>
      own.db.execute(sql`select ${name}::text as name`).then((found) => rowsOf<{ name: string }>(found)),
    );
    await turnOfEventLoop();
    const closed = own.close();
    end();
    await first;
    expect((await Promise.all(waiting)).flat()).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    await closed;
    await expect(own.db.execute(sql`select 1`)).rejects.toThrow();
  });

  it('holds a bounded number of statements, also where they fail', async () => {
    for (let i = 0; i < 130; i++) {
      await read(sql`select ${i}::integer as ${sql.identifier(`column_${i}`)}`);
      await expect(read(sql`select 1 / ${0}::integer as failing`)).rejects.toThrow();
    }
    expect((await prepared()).length).toBeLessThanOrEqual(102);
  });

  it('continues after a statement that failed, outside a transaction and in one that is undone', async () => {
    const row = { command: 'c', attempt: '1.0', runId: 'r', at: 1_000 };
    const insert = () => database.db.insert(attempts).values(row);
    await insert();
    expect(await insert().catch(databaseErrorCode)).toBe('23505');
    expect(await read(sql`select ${1}::integer as one`)).toEqual([{ one: 1 }]);
    const undone = database.db.transaction(async (tx) => {
      await tx.insert(attempts).values({ ...row, command: 'd' });
      await tx.insert(attempts).values(row);
    });
    expect(await undone.catch(databaseErrorCode)).toBe('23505');
    await database.db.transaction((tx) => tx.insert(attempts).values({ ...row, command: 'e' }));
    expect((await database.db.select().from(attempts)).map(({ command }) => command).toSorted()).toEqual([
      'c',
      'e',
    ]);
  });

  it('keeps the statements of others out of a transaction', async () => {
    const order: string[] = [];
    const first = database.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      order.push('begun');
      await sleep(20);
      await tx.execute(sql`select 1`);
      order.push('ended');
    });
    const other = read(sql`select 1`).then(() => order.push('other'));
    await Promise.all([first, other]);
    expect(order.indexOf('ended')).toBe(order.indexOf('begun') + 1);
  });

  it('runs a statement again whose table was changed', async () => {
    await database.db.execute(sql.raw('create table changing (a integer)'));
    const all = () => read(sql`select * from changing where ${true}`);
    expect(await all()).toEqual([]);
    await database.db.execute(sql.raw('alter table changing add column b integer'));
    await database.db.execute(sql`insert into changing values (${1}, ${2})`);
    await all().catch(() => {});
    expect(await all()).toEqual([{ a: 1, b: 2 }]);
  });
});
