import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { request } from 'undici';
import { createServer } from '../../src/api/http/server.js';
import { createMetrics } from '../../src/app/metrics/process.js';
import type { CallbackAuthentication } from '../../src/inbox/receive/authenticity.js';
import { createContentHashes } from '../../src/inbox/receive/content-hash.js';
import { type ReceiverOptions, receiver } from '../../src/inbox/receive/receiver.js';
import { createAnswers } from '../../src/store/answers.js';
import { createInboxStore, type InboxStore } from '../../src/store/callbacks/insert.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import type { CodecKey } from '../../src/store/sealing/codec-key.js';
import { createKeyedHashes } from '../../src/store/sealing/keyed-hashes.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { callbackSecret, wire } from './callbacks.js';
import { publicTestKey } from './codec.js';

export const sealer = createSealer([publicTestKey]);
export const contentHashes = createContentHashes([publicTestKey]);

/** First answers, in this database. */
export const answersIn = (db: HandoverDatabase['db']) =>
  createAnswers(db, createKeyedHashes([publicTestKey], 'requests'));

/** The body that a row holds. */
export function opened(row: { eventId: string; raw: Buffer | null } | undefined): string | undefined {
  return row?.raw == null ? undefined : sealer.open(row.raw, `inbox/${row.eventId}`).toString();
}

const signedCallbacks: CallbackAuthentication = {
  auth: 'standard-webhooks',
  secrets: [callbackSecret],
};

export interface Answer {
  status: number;
  type: string | undefined;
  body: string;
  problem: { code?: string; detail?: string; status?: number };
  headers: Record<string, string | string[] | undefined>;
}

/** A callback receiver on a port of its own. */
export async function startReceiver(
  database: HandoverDatabase,
  options: {
    authentication?: CallbackAuthentication;
    onStored?: () => void;
    inbox?: Pick<InboxStore, 'store'>;
    receiver?: Partial<ReceiverOptions>;
    keys?: CodecKey[];
  } = {},
) {
  const { authentication = signedCallbacks, onStored, keys = [publicTestKey] } = options;
  const inbox = options.inbox
    ? { isFull: () => false, ...options.inbox }
    : createInboxStore(database, createSealer(keys));
  const contentHashes = createContentHashes(keys);
  const app = createServer({ log: pino({ level: 'silent' }), metrics: createMetrics() });
  await app.register(receiver, {
    wire,
    contentHashes,
    authentication,
    inbox,
    ...(onStored !== undefined && { onStored }),
    ...options.receiver,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    close: () => app.close(),
    post: async (path: string, body: string | Buffer, headers: Record<string, string>): Promise<Answer> => {
      const answer = await request(`${origin}${path}`, { method: 'POST', body, headers });
      const text = await answer.body.text();
      const type = answer.headers['content-type']?.toString().split(';')[0];
      const problem = type === 'application/problem+json' ? JSON.parse(text) : {};
      return { status: answer.statusCode, type, body: text, problem, headers: answer.headers };
    },
  };
}
