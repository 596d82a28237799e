import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { endProgram, startProgram } from '../child.js';
import { callbackAt, eventsEach } from '../intake/callbacks.js';

export interface Drain {
  url: string;
  events: number;
  relays: number;
  answerMs: number;
  folder: string;
}

/** The key of the bench, for the relays' programs too. */
export const codecKey = { id: 'bench', key: Buffer.alloc(32, 7) };
const program = fileURLToPath(new URL('./relay-process.js', import.meta.url));

/** All relays run then, and have divided the shards among them. */
const startsWithinMs = 6_000;

/** Between two rounds of verdicts. */
const judgesEveryMs = 50;

/**
 * Stores callbacks that wait, all at once, for relays that run. What the engine has gets its verdict in the next round, in
 * place of workers. @returns seconds until the engine had all of them
 */
export async function drainOnce({ url, events, relays, answerMs, folder }: Drain): Promise<number> {
  const database = await openHandoverDatabase({ url, folder: '' });
  const mark = (state: string) => database.db.execute(sql`update inbox set state = ${state}`);
  const judge = () =>
    database.db.execute(sql`update inbox set state = 'done', verdict = 'applied' where state = 'sent'`);
  const waiting = async () => {
    const found = await database.db.execute(
      sql`select count(*)::integer as n from inbox where state = 'received'`,
    );
    return rowsOf<{ n: number }>(found)[0]?.n ?? 0;
  };
  try {
    await store(database, events);
    await mark('sent');
    const programs = Array.from({ length: relays }, (_, index) =>
      startProgram(`relay-${index}`, program, [url, String(answerMs)], {
        folder,
        cpuProf: undefined,
        stdout: 'log',
      }),
    );
    try {
      await sleep(startsWithinMs);
      await mark('received');
      const began = performance.now();
      while ((await waiting()) > 0) {
        await judge();
        await sleep(judgesEveryMs);
      }
      return (performance.now() - began) / 1000;
    } finally {
      await Promise.all(programs.map((one) => endProgram(one)));
    }
  } finally {
    await database.close();
  }
}

async function store(database: HandoverDatabase, events: number): Promise<void> {
  const inbox = createInboxStore(database, createSealer([codecKey]));
  const first = 1 + Math.floor(Math.random() * 1e9);
  const lanes = Array.from({ length: 400 }, async (_, lane) => {
    for (let index = lane; index < events; index += 400) {
      const { path, body, reservationId } = callbackAt(first, index);
      await inbox.store({
        identity: 'webhook-id',
        eventId: `${first}-${index}`,
        channel: index % eventsEach === 0 ? 'registration' : index % 2 === 0 ? 'update' : 'status',
        path,
        reservationId,
        receivedAt: Date.now(),
        headers: {},
        contentHashes: [`${first}-${index}`],
        raw: Buffer.from(body),
      });
    }
  });
  await Promise.all(lanes);
}
