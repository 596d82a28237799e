import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ShardDuty, ShardOwner } from '../../src/inbox/relay/shard-owner.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Line } from '../support/line.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';

/** The bounds of these databases are short: on a busy machine one may be silent for a moment, also where nothing is lost. */
async function untilDone<T>(what: string, attempt: () => PromiseLike<T>): Promise<T> {
  const { result } = await eventually(what, async () => {
    try {
      return { result: await attempt() };
    } catch {
      return undefined;
    }
  });
  return result;
}

describe.skipIf(server === undefined)(`a server that falls silent (Postgres${without})`, () => {
  const own = ownDatabase(server ?? '');
  let address: string;
  let line: Line;
  let database: HandoverDatabase;
  beforeEach(async () => {
    address = await own();
    line = await Line.to(new URL(address));
    database = await openHandoverDatabase({ url: line.url, folder: '', answerWithinMs: 300 });
    await untilDone('it answers', () => database.db.execute(sql`select 1`));
  });
  afterEach(async () => {
    line.close();
    await database.close();
  });

  it('fails a statement in bounded time, and the next statements use new connections', async () => {
    line.fallSilent();
    await expect(database.db.execute(sql`select 1`)).rejects.toThrow();
    line.comeBack();
    await untilDone('it answers again', () => database.db.execute(sql`select 1`));
  });

  it('a silent server delays a prompt statement once; the next fail at once, until the server answers again', async () => {
    const asked = openHandoverDatabase({ url: line.url, folder: '', promptWithinMs: 300 });
    const { prompt, close } = await asked;
    const works = () => prompt.execute(sql`select 1`);
    const silent = { code: 'DATABASE_SILENT' };
    await untilDone('it answers', works);
    line.fallSilent();
    await expect(works()).rejects.toMatchObject({ cause: silent });
    for (let i = 0; i < 20; i++) await expect(works()).rejects.toMatchObject({ cause: silent });
    await expect(prompt.transaction((tx) => tx.execute(sql`select 1`))).rejects.toMatchObject(silent);
    line.comeBack();
    await untilDone('it answers again', works);
    await untilDone('a transaction too', () => prompt.transaction((tx) => tx.execute(sql`select 1`)));
    await close();
  });

  it('a silent server ends a long statement just as soon, and no part of a transaction runs later', async () => {
    const asked = openHandoverDatabase({ url: line.url, folder: '', promptWithinMs: 300 });
    const { db, close } = await asked;
    const silent = { code: 'DATABASE_SILENT' };
    const done: string[] = [];
    const left = db.transaction(async (tx) => {
      await tx.execute(sql`create table left_behind (id integer)`);
      line.fallSilent();
      await tx.execute(sql`select 1`).catch(() => done.push('failed'));
      await tx.execute(sql`select 2`);
      done.push('ran on');
    });
    await expect(left).rejects.toMatchObject(silent);
    await expect(db.execute(sql`select 1`)).rejects.toMatchObject({ cause: silent });
    line.comeBack();
    const found = await untilDone('it answers again', () =>
      db.execute(sql`select to_regclass('left_behind') as name`),
    );
    expect(rowsOf(found)).toEqual([{ name: null }]);
    expect(done).toEqual(['failed']);
    await close();
  });

  it('transactions that a silent server never begins, or never ends, cost no connection for ever', async () => {
    const poolSize = 2;
    const few = await openHandoverDatabase({ url: line.url, folder: '', answerWithinMs: 300, poolSize });
    const works = () => few.db.transaction((tx) => tx.execute(sql`select 1`));
    // the statement that finds the line silent: `begin` itself, or one within
    for (const within of [false, true]) {
      for (let i = 0; i < 2 * poolSize; i++) {
        await untilDone('it answers', works);
        if (!within) line.fallSilent();
        const silent = few.db.transaction(async (tx) => {
          line.fallSilent();
          await tx.execute(sql`select 1`);
        });
        await expect(silent).rejects.toThrow();
        line.comeBack();
      }
    }
    await Promise.all(Array.from({ length: 2 * poolSize }, () => untilDone('each has its turn', works)));
    await few.close();
  });

  it('a transaction whose work fails is rolled back, and the next ones continue', async () => {
    const work = database.db.transaction(async (tx) => {
      await tx.execute(sql`create table left_behind (id integer)`);
      throw new Error('the work failed');
    });
    await expect(work).rejects.toThrow('the work failed');
    const found = await untilDone('the next one', () =>
      database.db.transaction((tx) => tx.execute(sql`select to_regclass('left_behind') as name`)),
    );
    expect(rowsOf(found)).toEqual([{ name: null }]);
  });

  it('a connection that breaks within a transaction fails it, and nothing else', async () => {
    const within = database.db.transaction(async (tx) => {
      const found = await tx.execute(sql`select pg_backend_pid() as pid`);
      const pid = rowsOf<{ pid: number }>(found)[0]?.pid;
      await database.db.execute(sql`select pg_terminate_backend(${pid})`);
      await sleep(100); // nothing is asked of it while it breaks
      await tx.execute(sql`select 1`);
    });
    await expect(within).rejects.toThrow();
    await untilDone('a statement', () => database.db.execute(sql`select 1`));
  });

  it('a relay whose connection is silent starts nothing more, and competes again when the connection is back', async () => {
    const events: string[] = [];
    const duty: ShardDuty = {
      start: () => void events.push('starts'),
      stop: async () => void events.push('stops'),
      drained: async () => {},
    };
    const turn = new ShardOwner({
      session: database.session,
      relay: () => duty,
      log: pino({ level: 'silent' }),
      everyMs: 20,
    });
    turn.start();
    await eventually('it is active', () => events.length === 1);
    line.fallSilent();
    await eventually('it stops by itself', () => events.at(-1) === 'stops', 15_000);
    // the server may still believe in the former connection: then the lock is not free yet
    const beside = new pg.Client(address);
    await beside.connect();
    await beside.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'handover session' and datname = current_database()`);
    await beside.end();
    line.comeBack();
    await eventually('it is active again', () => events.at(-1) === 'starts', 15_000);
    await turn.stop();
    expect(events).toEqual(['starts', 'stops', 'starts', 'stops']);
  });
});
