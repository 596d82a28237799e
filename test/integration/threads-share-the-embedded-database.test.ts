import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deferred } from '../../src/domain/shared/deferred.js';
import type { EmbeddedClient } from '../../src/store/connection/embedded/client.js';
import { openPglite } from '../../src/store/connection/embedded/pglite.js';
import { connect } from '../../src/store/connection/embedded/thread/connect.js';
import { serve } from '../../src/store/connection/embedded/thread/serve.js';
import { SharedCommits } from '../../src/store/connection/embedded/thread/shared-commits.js';
import { databaseErrorCode } from '../../src/store/connection/errors.js';
import { copyOfMigratedTemplate } from '../support/database.js';
import { builtModule } from '../support/product.js';

let parent: string;
let database: EmbeddedClient;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'handover-db-'));
  await copyOfMigratedTemplate(join(parent, 'db'));
  database = await openPglite({ folder: join(parent, 'db'), channels: [] }, () => {});
  await database.query('create table written (what text primary key)');
});
afterAll(async () => {
  await database.close();
  await rm(parent, { recursive: true });
});
beforeEach(() => database.query('delete from written'));

/** Another thread's connection, and the port whose end is that of the thread. */
function connected() {
  const { port1, port2 } = new MessageChannel();
  serve(port1, Promise.resolve(database), () => true);
  return { ...connect(port2), port: port2 };
}
const write = "insert into written values ('it')";
const written = async (by: Pick<EmbeddedClient, 'query'>) =>
  (await by.query('select from written')).rows.length;

it('what a thread wrote in a transaction that it did not commit is undone where it ends', async () => {
  const [own, other] = [connected(), connected()];
  const { promise: begun, resolve: begin } = deferred();
  const never = own.transaction(async (tx) => {
    await tx.query(write);
    begin();
    await new Promise(() => {});
  });
  never.catch(() => {});
  await begun;
  own.port.close();
  expect(await written(other)).toBe(0);
  other.port.close();
});

it('a transaction that waits for its turn when its thread ends keeps no other waiting', async () => {
  const [own, other] = [connected(), connected()];
  const { promise: ended, resolve: end } = deferred();
  const { promise: begun, resolve: begin } = deferred();
  const first = other.transaction(() => {
    begin();
    return ended;
  });
  await begun;
  own.transaction(async (tx) => tx.query(write)).catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  own.port.close();
  end();
  await first;
  expect(await written(other)).toBe(0);
  other.port.close();
});

it('a transaction whose thread does nothing more is rolled back after two seconds: it keeps no other waiting', async () => {
  const [own, other] = [connected(), connected()];
  const { promise: ended, resolve: end } = deferred();
  const { promise: begun, resolve: begin } = deferred();
  const stopped = own.transaction(async (tx) => {
    await tx.query(write);
    begin();
    await ended;
    await tx.query(write);
  });
  await begun;
  expect(await written(other)).toBe(0);
  end();
  expect(await stopped.catch(databaseErrorCode)).toBe('DATABASE_SILENT');
  for (const { port } of [own, other]) port.close();
});

it('statements of a commit are one message: all of them are committed, or none', async () => {
  const own = connected();
  const insert = (what: string) => ({
    text: 'insert into written values ($1) returning what',
    params: [what],
  });
  expect(await own.urgently.together([insert('a'), insert('b')])).toEqual([{ what: 'b' }]);
  expect(await own.together([insert('c'), insert('a')]).catch(databaseErrorCode)).toBe('23505');
  expect(await written(own)).toBe(2);
  own.port.close();
});

it('G33: a commit of the receiver goes before what another thread has sent already', async () => {
  const { startThread }: typeof import('../../src/store/connection/embedded/thread/start.js') = await import(
    await builtModule('src/store/connection/embedded/thread/start.js')
  );
  const folder = join(parent, 'thread');
  await copyOfMigratedTemplate(folder);
  const client = await startThread({ folder, channels: [] }, () => {});
  const port = client.share?.() ?? expect.fail('it shares nothing');
  const receiver = connect(port);
  await receiver.ping();
  let answered = 0;
  const others = Array.from({ length: 200 }, () =>
    client.query('select count(*) from generate_series(1, 5000)').then(() => {
      answered += 1;
    }),
  );
  await receiver.urgently.query('select 1');
  expect(answered).toBeLessThan(20);
  await Promise.all(others);
  port.close();
  await client.close();
});

it('where the thread of the database ends, what waits and what comes fails as of a database that is silent', async () => {
  const { port1, port2 } = new MessageChannel();
  const own = connect(port2); // no thread serves it
  const waiting = [own.query(write), own.transaction((tx) => tx.query(write)), own.ping()];
  port1.close();
  await own.ended;
  const failed = await Promise.all(waiting.map((one) => one.catch(databaseErrorCode)));
  expect(failed).toEqual(['DATABASE_SILENT', 'DATABASE_SILENT', 'DATABASE_SILENT']);
  expect(await own.query(write).catch(databaseErrorCode)).toBe('DATABASE_SILENT');
  expect(await own.urgently.transaction(async () => {}).catch(databaseErrorCode)).toBe('DATABASE_SILENT');
});

it('commits of another thread fail until it has a port, and go by the newest one', async () => {
  const commits = new SharedCommits();
  const commit = () => commits.commit({ statements: [sql`select 1 as one`], inOrderOf: [] });
  expect(await commit().catch(databaseErrorCode)).toBe('DATABASE_SILENT');
  for (let opened = 0; opened < 2; opened++) {
    const { port1, port2 } = new MessageChannel();
    serve(port1, Promise.resolve(database), () => true);
    commits.connect(port2);
    expect(await commit()).toEqual([{ one: 1 }]);
  }
  await commits.close();
});
