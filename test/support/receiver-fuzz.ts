import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { startApiPart } from '../../src/app/parts/api.js';
import { collectGarbage } from '../../src/app/startup/collect-garbage.js';
import { embeddedSetting } from '../../src/app/startup/setting.js';
import { Stack } from '../../src/app/startup/stack.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import { embeddedTarget } from '../../src/temporal/connection/connection.js';
import { callbackSecret } from './callbacks.js';
import { publicTestKey, testDataConverter } from './codec.js';
import { type MutatedCallback, mutatedCallback } from './mutated-callbacks.js';

const atOnce = 16;
/** Beyond every limit of the receiver: an answer that takes longer never comes. */
const answersWithinMs = 20_000;

/**
 * Sends at least `atLeast` mutated callbacks, each over a connection of its own, to the API part on this database. Each
 * connection must end in time, no answer may be a 5xx other than the designed 503, and each callback that nothing was
 * done to must be stored.
 * @returns how many answers had which status, and the heap in bytes after a collection, at a fifth of the way and at the end
 */
export async function fuzzReceiver(
  database: HandoverDatabase,
  { atLeast, seed }: { atLeast: number; seed: number },
) {
  const api = await startApi(database);
  const answered: Record<number, number> = {};
  const heaps: number[] = [];
  const batches = Math.ceil(atLeast / atOnce);
  let sent = 0;
  const check = async (requests: MutatedCallback[]) => {
    const answers = await Promise.all(requests.map(({ bytes }) => exchange(api.port, bytes)));
    for (const [index, text] of answers.entries()) {
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
      for (const status of statuses) answered[status] = (answered[status] ?? 0) + 1;
      const asked = requests[index]?.bytes.subarray(0, 500).toString('latin1');
      const wrong = statuses.filter((status) => status >= 500 && status !== 503);
      expect(wrong, `${asked}\nanswered ${text.slice(0, 500)}`).toEqual([]);
      if (requests[index]?.intactId !== undefined) expect(statuses, asked).toEqual([204]);
    }
    await expectStored(database, requests);
    sent++;
    if (sent === Math.ceil(batches / 5) || sent === batches) heaps.push(collectedHeap());
  };
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(mutatedCallback, { minLength: atOnce, maxLength: atOnce }), check),
      { numRuns: batches, seed, endOnFailure: true },
    );
  } finally {
    await api.stop();
  }
  const [early = 0, late = 0] = heaps;
  return { answered, early, late };
}

/** The API part as `handover up` starts it, and no engine: a callback's way does not touch one. */
async function startApi(database: HandoverDatabase) {
  const folder = await mkdtemp(join(tmpdir(), 'handover-fuzz-'));
  const setting = await embeddedSetting({
    HANDOVER_DATA_DIR: folder,
    HANDOVER_PORT: '0',
    LOG_LEVEL: 'warn',
    CALLBACK_SECRETS: callbackSecret,
    CODEC_KEYS: `${publicTestKey.id}:${publicTestKey.key.toString('base64')}`,
  });
  const target = embeddedTarget('127.0.0.1:1');
  const connection = Connection.lazy({ address: target.address });
  const stack = new Stack(setting.log);
  const url = await startApiPart(setting, stack, {
    temporal: { target, connection, client: new Client({ connection }), dataConverter: testDataConverter },
    database,
    platformUrl: undefined,
    wakeRelay: () => {},
  });
  return {
    port: Number(new URL(url).port),
    async stop() {
      await stack.stop();
      await connection.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Writes the bytes, says that no more will come, and reads until the other side closes. */
async function exchange(port: number, bytes: Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    received += text;
  });
  socket.on('error', () => {}); // a reset is one way of being closed; `events.once` would take it for a failure
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.end(bytes);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no end of the connection after: ${bytes.subarray(0, 500).toString('latin1')}`)),
      answersWithinMs,
    );
  });
  await Promise.race([closed, late]).finally(() => clearTimeout(timer));
  return received;
}

async function expectStored({ db }: HandoverDatabase, requests: MutatedCallback[]): Promise<void> {
  const ids = requests.flatMap(({ intactId }) => intactId ?? []);
  const rows = await db.select({ id: inbox.eventId }).from(inbox).where(inArray(inbox.eventId, ids));
  expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
}

function collectedHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
