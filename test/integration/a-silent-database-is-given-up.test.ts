import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/db/handover.js';
import { rowsOf } from '../../src/db/rows.js';
import { type Duty, OneActive } from '../../src/intake/one-active.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';

/** A line to the server that can fall silent without being cut, as on a failover. */
class Line {
  private readonly sockets = new Set<Socket>();
  private silent = false;
  private constructor(
    private readonly listener: Server,
    readonly url: string,
  ) {}

  static async to(address: URL): Promise<Line> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = new URL(address);
    url.hostname = '127.0.0.1';
    url.port = String((listener.address() as { port: number }).port);
    const line = new Line(listener, url.href);
    listener.on('connection', (near) => {
      const far = connect(Number(address.port), address.hostname);
      for (const [from, into] of [
        [near, far],
        [far, near],
      ] as const) {
        line.sockets.add(from);
        from.on('error', () => into.destroy());
        from.on('close', () => into.destroy());
        from.on('data', (bytes) => {
          if (!line.silent) into.write(bytes);
        });
      }
    });
    return line;
  }
  fallSilent(): void {
    this.silent = true;
  }
  /** Connections of before stay dead, new ones work. */
  comeBack(): void {
    for (const socket of this.sockets) socket.removeAllListeners('data').resume();
    this.sockets.clear();
    this.silent = false;
  }
  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
  }
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
  });
  afterEach(async () => {
    line.close();
    await database.close();
  });

  it('fails a statement in bounded time, and the next go over new connections', async () => {
    await database.db.execute(sql`select 1`);
    line.fallSilent();
    await expect(database.db.execute(sql`select 1`)).rejects.toThrow();
    line.comeBack();
    await eventually('it answers again', () =>
      database.db.execute(sql`select 1`).then(
        () => true,
        () => false,
      ),
    );
  });

  it('transactions that a silent server never begins, or never ends, cost no connection for ever', async () => {
    const poolSize = 2;
    const few = await openHandoverDatabase({ url: line.url, folder: '', answerWithinMs: 300, poolSize });
    const works = () => few.db.transaction((tx) => tx.execute(sql`select 1`));
    // the statement that finds the line silent: `begin` itself, or one within
    for (const within of [false, true]) {
      for (let i = 0; i < 2 * poolSize; i++) {
        await works();
        if (!within) line.fallSilent();
        const silent = few.db.transaction(async (tx) => {
          line.fallSilent();
          await tx.execute(sql`select 1`);
        });
        await expect(silent).rejects.toThrow();
        line.comeBack();
      }
    }
    await Promise.all(Array.from({ length: 2 * poolSize }, works));
    await few.close();
  });

  it('a transaction whose work fails is rolled back, and the next ones go on', async () => {
    const work = database.db.transaction(async (tx) => {
      await tx.execute(sql`create table left_behind (id integer)`);
      throw new Error('the work failed');
    });
    await expect(work).rejects.toThrow('the work failed');
    const found = await database.db.transaction((tx) =>
      tx.execute(sql`select to_regclass('left_behind') as name`),
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
    await database.db.execute(sql`select 1`);
  });

  it('a relay whose line is silent begins nothing more, and competes again when the line is back', async () => {
    const events: string[] = [];
    const duty: Duty = {
      start: () => void events.push('starts'),
      stop: async () => void events.push('stops'),
    };
    const turn = new OneActive({
      session: database.session,
      duties: () => [duty],
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
