import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, describe, it } from 'vitest';
import { openHandoverDatabase } from '../../src/store/handover.js';
import { callbackSecret } from '../support/callbacks.js';
import { Sender } from '../support/crash/sender.js';
import { eventually } from '../support/eventually.js';
import { delivery, surviveFullDisk, whyNoSmallDisk } from '../support/full-disk.js';
import { postgresPrograms, startPostgres } from '../support/postgres-server.js';
import { Deployment, readJson } from '../support/process.js';
import { smallDisk } from '../support/small-disk.js';

const refused = whyNoSmallDisk();
const programs = await postgresPrograms();

const token = 'manager-token-of-this-test';

let ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

describe.skipIf(refused !== undefined)(`a disk that fills up under load and is freed${refused ?? ''}`, () => {
  const open = (megabytes: number) => {
    const disk = smallDisk(megabytes);
    if (disk === undefined) throw new Error('no small filesystem');
    ends.push(() => disk.remove());
    return disk;
  };

  it.each([
    ['a table finds no room', undefined],
    ['the write-ahead log finds no room, which ends the database', sql`select pg_switch_wal()`],
  ])(
    'embedded, %s: every acknowledged callback is stored, and the receiver accepts callbacks again by itself',
    async (_, statement) => {
      const disk = open(200);
      const database = await openHandoverDatabase({ folder: join(disk.path, 'db') });
      ends.push(() => database.close());
      const whenFull = async () => statement && database.db.execute(statement).catch(() => {});
      await surviveFullDisk({ disk, database, callbacks: 1_500, whenFull });
    },
    300_000,
  );

  it('the whole data folder of `handover up` with its engine’s state: every acknowledged callback is applied by itself', async () => {
    const disk = open(400);
    const deployment = await Deployment.create();
    ends.push(() => deployment.remove());
    const dataDir = join(disk.path, 'data');
    const up = deployment.run(['up', '--no-demo'], {
      HANDOVER_DATA_DIR: dataDir,
      CALLBACK_SECRETS: callbackSecret,
      HANDOVER_TOKENS: `manager:${token}`,
    });
    ends.push(async () => {
      up.signal('SIGTERM');
      await up.ended;
    });
    const { api: address } = await up.ready();
    const sender = new Sender({ address, secret: callbackSecret });
    ends.push(() => sender.stop());
    const callbacks = 400;
    const deliveries = Array.from({ length: callbacks }, (_, at) => delivery(at + 1));
    sender.send(deliveries, { lanes: 4, perSecond: 40 });
    await eventually('some are accepted', () => sender.count > 50, 60_000);
    disk.fill();
    await eventually('the disk is full', () => sender.failed > 400, 120_000);
    disk.free();
    await sender.done();
    const inbox = () =>
      readJson<{ items: { state: string }[] }>(`${address}/api/inbox?limit=500`, token).catch(() => null);
    await eventually(
      'each has its verdict',
      async () => {
        const { items = [] } = (await inbox()) ?? {};
        return items.length === callbacks && items.every(({ state }) => state === 'done');
      },
      240_000,
    );
  }, 600_000);

  it.skipIf(programs === undefined)(
    `on a Postgres${programs === undefined ? ' (skipped: no programs of it)' : ''}: the same`,
    async () => {
      const disk = open(200);
      const server = await startPostgres(programs ?? '', disk.path);
      ends.push(() => server.remove());
      const database = await openHandoverDatabase({ url: server.url, folder: '' });
      ends.push(() => database.close());
      await surviveFullDisk({ disk, database, callbacks: 1_500 });
    },
    300_000,
  );
});
