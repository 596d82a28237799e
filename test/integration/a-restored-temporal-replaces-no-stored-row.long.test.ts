import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { asc } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { RecordInput } from '../../src/contract/reservation.js';
import type { ReservationEvent } from '../../src/domain/reservation/index.js';
import { createAttentionPosts } from '../../src/outbox/attention-posts.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { outbox, timeline } from '../../src/store/schema.js';
import { connectClient, connectWorker, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { launch } from '../../src/temporal/server/dev-server-process.js';
import { waitUntilServing } from '../../src/temporal/server/health.js';
import { freePort } from '../../src/temporal/server/ports.js';
import { endProcess } from '../../src/temporal/server/process-info.js';
import { publicTestKey } from '../support/codec.js';
import { embeddedLane } from '../support/database.js';
import { installTestRuntime } from '../support/engine-log.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { sealer } from '../support/intake.js';
import { car, company, hour, TestReservation } from '../support/reservations.js';
import { createTestWorker } from '../support/test-worker.js';

const lane = embeddedLane();
const taskQueue = 'restored';
const reservations = process.env.HANDOVER_TEST_LONG === '1' ? 40 : 3;
let database: HandoverDatabase;
let folder: string;
let file: string;
beforeAll(async () => {
  installTestRuntime();
  database = await lane.open();
  folder = await mkdtemp(join(tmpdir(), 'handover-restored-'));
  await mkdir(join(folder, 'state'));
  file = join(folder, 'state', 'temporal.db');
});
afterAll(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Temporal with its state in `file`, and a worker of the product's own rows and posts, while `play` runs. */
async function whileRunning(play: (client: Client) => Promise<void>): Promise<void> {
  const port = await freePort();
  const engine = launch({
    binary: inject('devServerPath'),
    port,
    uiPort: null,
    database: file,
    log: join(folder, 'engine.log'),
  });
  await writeFile(join(inject('runFolder'), `engine-${engine.pid}`), '');
  try {
    const address = `127.0.0.1:${port}`;
    expect(await waitUntilServing(address, 'default', 30_000, engine.ended)).toBeUndefined();
    const target = embeddedTarget(address);
    const connection = await connectClient(target);
    const native = await connectWorker(target);
    await registerSearchAttributes(connection, target.namespace);
    const record = createRecorder(database.prompt);
    const worker = await createTestWorker({
      connection: native,
      namespace: target.namespace,
      taskQueue,
      activities: {
        ...new FakePlatform().activities(),
        record: async (input: RecordInput) => {
          await record(input);
          return { posts: true };
        },
        postAttention: createAttentionPosts(database.db, sealer),
        closeCase: createCaseFiles(database.prompt, sealer, [publicTestKey]).close,
      },
    });
    await worker.runUntil(() => play(new Client({ connection, namespace: target.namespace })));
    await connection.close();
    await native.close();
  } finally {
    await endProcess(engine.pid, 10_000);
    await rm(join(inject('runFolder'), `engine-${engine.pid}`), { force: true });
  }
}

const stored = () =>
  database.db.select().from(timeline).orderBy(asc(timeline.reservationId), asc(timeline.seq));
const posts = () => database.db.select().from(outbox).orderBy(asc(outbox.id));

it('a Temporal restored from a backup adds new entries and alerts, and changes no row that was stored since', async () => {
  const now = Date.now();
  const period = { start: now + hour, end: now + 5 * hour };
  const ids = Array.from({ length: reservations }, (_, i) => 77_001 + i);
  const rentals = (client: Client) =>
    ids.map((id) => new TestReservation(client, async () => Date.now(), taskQueue, id));
  const eventOf = (id: number, nth: number, status: number): ReservationEvent => ({
    eventId: `e-${id}-${nth}`,
    inboxId: id * 100 + nth,
    channel: nth === 1 ? 'registration' : 'update',
    receivedAt: now,
    contentHash: `c-${id}-${nth}`,
    status,
    period,
    car,
    company,
    createdAt: now,
  });
  /** Each of these events reaches each reservation, one after the other. */
  const deliver = async (client: Client, ...events: [nth: number, status: number][]) => {
    for (const [nth, status] of events) {
      await Promise.all(rentals(client).map((rental) => rental.deliver(eventOf(rental.id, nth, status))));
      await eventually(
        `event ${nth} is recorded`,
        async () => {
          const rows = await stored();
          return ids.every((id) => rows.some(({ data }) => data.inboxId === id * 100 + nth));
        },
        60_000,
      );
    }
  };
  /** As many posts of attention items as there are entries that raise or clear one. */
  const posted = (atLeast: number) =>
    eventually('alerts wait to be posted', async () => (await posts()).length >= atLeast, 60_000);

  await whileRunning(async (client) => deliver(client, [1, 5], [2, 10]));
  const backup = join(folder, 'backup');
  await cp(join(folder, 'state'), backup, { recursive: true });

  // an unknown status raises an attention item (L11)
  await whileRunning(async (client) => {
    await deliver(client, [3, 15], [4, 77], [5, 20]);
    await posted(reservations);
  });
  const [entriesBefore, postsBefore] = [await stored(), await posts()];

  await rm(join(folder, 'state'), { recursive: true });
  await cp(backup, join(folder, 'state'), { recursive: true });
  await whileRunning(async (client) => {
    const codes = await Promise.all(rentals(client).map((rental) => rental.view()));
    expect(codes.map(({ status }) => status.code)).toEqual(ids.map(() => 10));
    // traffic continues: another unknown status, whose entry has the number of one that is stored
    await deliver(client, [6, 78]);
    await posted(2 * reservations);
    // and what was lost is read again
    await deliver(client, [3, 15], [5, 20]);
    for (const rental of rentals(client)) {
      await eventually('it is in use', async () => (await rental.view()).status.code === 20, 60_000);
    }
  });

  const [entries, allPosts] = [await stored(), await posts()];
  for (const id of ids) {
    const of = (rows: typeof entries) => rows.filter(({ reservationId }) => reservationId === id);
    const own = of(entries);
    expect(own.slice(0, of(entriesBefore).length)).toEqual(of(entriesBefore));
    expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index + 1));
    expect(own.filter(({ data }) => data.inboxId === id * 100 + 6)).toHaveLength(1);
  }
  expect(allPosts.slice(0, postsBefore.length)).toEqual(postsBefore);
  const described = allPosts.map(({ messageId, body }) =>
    JSON.parse(sealer.open(body, `outbox/${messageId}`).toString()),
  );
  for (const id of ids) {
    const messages = described
      .filter((post) => post.reservationId === id)
      .map(({ message }) => message)
      .join();
    expect(messages).toContain('77');
    expect(messages).toContain('78');
  }
}, 240_000);
