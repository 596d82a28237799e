import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { EmbeddedClient } from '../../src/store/connection/embedded/client.js';
import { openPglite } from '../../src/store/connection/embedded/pglite.js';
import { SharedCommits } from '../../src/store/connection/embedded/shared-commits.js';
import { connect } from '../../src/store/connection/embedded/thread/connect.js';
import { serve } from '../../src/store/connection/embedded/thread/serve.js';
import { databaseErrorCode } from '../../src/store/connection/errors.js';
import { deferred } from '../../src/temporal/connection/deferred.js';
import { copyOfMigratedTemplate } from '../support/database.js';

let parent: string;
let database: EmbeddedClient;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'handover-db-'));
  await copyOfMigratedTemplate(join(parent, 'db'));
  database = await openPglite({ folder: join(parent, 'db'), channels: [] }, { onNotification: () => {} });
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
  serve(port1, Promise.resolve(database));
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

it('errors have the code by which the caller decides, and undo their transaction alone', async () => {
  const own = connected();
  await own.query(write);
  expect(await own.query(write).catch(databaseErrorCode)).toBe('23505');
  const undone = own.transaction(async (tx) => {
    await tx.query("insert into written values ('other')");
    await tx.query(write);
  });
  expect(await undone.catch(databaseErrorCode)).toBe('23505');
  expect(await written(own)).toBe(1);
  own.port.close();
});

it('where the thread of the database ends, what waits and what comes fails as of a database that is silent', async () => {
  const { port1, port2 } = new MessageChannel();
  const own = connect(port2); // nobody serves it
  const waiting = [own.query(write), own.transaction((tx) => tx.query(write)), own.opened()];
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
    serve(port1, Promise.resolve(database));
    commits.connect(port2);
    expect(await commit()).toEqual([{ one: 1 }]);
  }
  await commits.close();
});
