import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { asc, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { listInbox } from '../../src/store/callbacks/list.js';
import type { Arrival } from '../../src/store/callbacks/types.js';
import { OverloadedError } from '../../src/store/connection/group-commit.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import type { CodecKey } from '../../src/store/sealing/codec-key.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import {
  aReservation,
  pathOf,
  reservationBody,
  signedBytes,
  signedHeaders,
  statusBody,
} from '../support/callbacks.js';
import { publicTestKey } from '../support/codec.js';
import { embeddedLane, onEveryDatabase } from '../support/database.js';
import { opened, sealer, startReceiver } from '../support/intake.js';
import { recordQueries } from '../support/recorded-queries.js';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
let database: HandoverDatabase;
let app: Receiver | undefined;

const rows = () => database.db.select().from(inbox).orderBy(asc(inbox.id));
const use = async (options?: Parameters<typeof startReceiver>[1]) => {
  app = await startReceiver(database, options);
  return app;
};
const setUp = (lane: { open(): Promise<HandoverDatabase> }) => {
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    await app?.close();
    app = undefined;
    await database.db.delete(inbox);
  });
  afterAll(() => database.close());
};

onEveryDatabase('the callback receiver', (lane) => {
  setUp(lane);

  it('the receiver stores each of the four callbacks unchanged, and then answers 204', async () => {
    const { post } = await use();
    const body = reservationBody('registration', aReservation(8421));
    const answer = await post(pathOf('registration'), body, signedHeaders(body, { id: 'msg_1' }));
    expect(answer).toMatchObject({ status: 204, body: '' });
    const bodies = {
      update: reservationBody('update', aReservation(8421)),
      car: '{"reservationId":8421,"carId":13,"carNumber":"1"}',
      status: statusBody(8421, 10),
    };
    for (const [kind, text] of Object.entries(bodies)) {
      const path = pathOf(kind as keyof typeof bodies);
      expect(await post(path, text, signedHeaders(text))).toMatchObject({ status: 204 });
    }
    const stored = await rows();
    expect(stored.map(({ channel }) => channel)).toEqual(['registration', 'update', 'car', 'status']);
    expect(stored[0]).toMatchObject({
      eventId: 'msg_1',
      reservationId: 8421,
      state: 'received',
      verdict: null,
    });
    expect(opened(stored[0])).toBe(body);
    expect(JSON.stringify(stored[0]?.headers)).not.toContain('v1,');
  });

  it('an acknowledged event is stored after a restart of the process', async () => {
    const { post } = await use();
    const body = statusBody(1, 10);
    await post(pathOf('status'), body, signedHeaders(body));
    await app?.close();
    await database.close();
    database = await lane.open();
    expect(await rows()).toHaveLength(1);
  });

  it('L01: a repeated webhook-id is counted in the same row, also within one insert', async () => {
    const { post } = await use();
    const body = statusBody(1, 10);
    const send = () => post(pathOf('status'), body, signedHeaders(body, { id: 'msg_same' }));
    await send();
    await Promise.all([send(), send(), send()]);
    expect(await rows()).toMatchObject([{ eventId: 'msg_same', copies: 4 }]);
  });

  it('another content under a known webhook-id is a new event, is counted, and its repeats are recognised', async () => {
    let reused = 0;
    const rotated = [{ id: 'next', key: Buffer.alloc(32, 7) }, publicTestKey];
    for (const keys of [[publicTestKey], rotated]) {
      const counting = createInboxStore(database, createSealer(keys), {
        onReusedIds(events) {
          reused += events;
        },
      });
      const { post } = await use({ keys, inbox: counting });
      const send = (kind: 'status' | 'update', body: string) =>
        post(pathOf(kind), body, signedHeaders(body, { id: 'msg_same' }));
      for (const status of [10, 15, 15, 10]) await send('status', statusBody(1, status));
      await Promise.all([send('status', statusBody(2, 10)), send('status', statusBody(2, 10))]);
      await app?.close();
    }
    const stored = await rows();
    expect(stored.map(({ identity, reservationId, copies }) => [identity, reservationId, copies])).toEqual([
      ['webhook-id', 1, 4],
      ['content', 1, 4],
      ['content', 2, expect.any(Number)],
    ]);
    expect(new Set(stored.map(({ eventId }) => eventId)).size).toBe(3);
    expect(reused).toBeGreaterThanOrEqual(6);
    const store = createInboxStore(database, sealer);
    const arrival = (body: string): Arrival => ({
      identity: 'webhook-id',
      eventId: 'within one group',
      channel: 'status',
      path: '/x',
      reservationId: 3,
      receivedAt: 1,
      headers: {},
      raw: Buffer.from(body),
      contentHashes: [body],
    });
    await Promise.all(['a', 'b', 'c'].map((body) => store.store(arrival(body))));
    expect((await rows()).slice(3).map(opened)).toEqual(['a', 'b', 'c']);
  });

  it('equal bytes without an id are one row only while they are the newest of their reservation', async () => {
    const secret = 'a-secret-of-16-letters';
    const { post } = await use({ authentication: { auth: 'bearer', secrets: [secret] } });
    const send = (body: string) => post(pathOf('status'), body, { authorization: `Bearer ${secret}` });
    for (const status of [10, 10, 15, 10, 10]) {
      expect(await send(statusBody(1, status))).toMatchObject({ status: 204 });
    }
    await send(statusBody(2, 10));
    await Promise.all([send('unreadable'), send('unreadable')]);
    await send('unreadable');
    expect((await rows()).map(({ reservationId, copies }) => [reservationId, copies])).toEqual([
      [1, 2],
      [1, 1],
      [1, 2],
      [2, 1],
      [null, 3],
    ]);
  });

  it('L60: the table holds no body in plain text, and equal bodies are encrypted differently', async () => {
    const { post } = await use();
    const reservation = aReservation(8421);
    const body = reservationBody('registration', reservation);
    for (const id of ['msg_1', 'msg_2'])
      await post(pathOf('registration'), body, signedHeaders(body, { id }));
    const dump = JSON.stringify(
      (await rows()).map(({ raw, ...row }) => ({ ...row, raw: raw?.toString('latin1') })),
    );
    for (const value of [reservation.driverName, reservation.driverPhone, reservation.driverLicenseNumber])
      expect(dump).not.toContain(value);
    const [first, second] = await rows();
    expect(first?.raw?.equals(second?.raw ?? Buffer.alloc(0))).toBe(false);
    const plain = createHash('sha256')
      .update(`${pathOf('registration')}\0`)
      .update(body)
      .digest('hex');
    expect(first?.contentHash).toBe(second?.contentHash);
    expect(first?.contentHash).not.toBe(plain);
  });

  it('after a key rotation old bodies are decrypted, and the same content without an id is still the same row', async () => {
    const secret = 'a-secret-of-16-letters';
    const authentication = { auth: 'bearer', secrets: [secret] } as const;
    const headers = { authorization: `Bearer ${secret}` };
    const next = { id: 'next', key: Buffer.alloc(32, 7) };
    const send = async (keys: CodecKey[]) => {
      await app?.close();
      const { post } = await use({ authentication, keys });
      expect(await post(pathOf('status'), statusBody(1, 10), headers)).toMatchObject({ status: 204 });
    };
    await send([publicTestKey]);
    await send([next, publicTestKey]);
    await send([next, publicTestKey]);
    expect(await rows()).toMatchObject([{ copies: 3 }]);
    const [row] = await rows();
    expect(
      createSealer([next, publicTestKey])
        .open(row?.raw ?? Buffer.alloc(0), `inbox/${row?.eventId}`)
        .toString(),
    ).toBe(statusBody(1, 10));
  });

  it('the receiver verifies and stores a compressed body as it was sent, and reads its reservation from the decompressed content', async () => {
    const { post } = await use();
    const body = statusBody(8421, 10);
    const codings = { gzip: gzipSync, 'X-Gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync };
    for (const [coding, compress] of Object.entries(codings)) {
      const sent = compress(body);
      const headers = { ...signedBytes(sent), 'content-encoding': coding };
      expect(await post(pathOf('status'), sent, headers)).toMatchObject({ status: 204 });
    }
    const stored = await rows();
    expect(stored.map(({ reservationId }) => reservationId)).toEqual([8421, 8421, 8421, 8421]);
    const [first] = stored;
    const sent = sealer.open(first?.raw ?? Buffer.alloc(0), `inbox/${first?.eventId}`);
    expect(sent.equals(gzipSync(body))).toBe(true);
  });

  it('L63: a body with an unknown coding, a broken one, and one that expands too far are stored and acknowledged', async () => {
    const { post } = await use();
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const cases: [string, Buffer][] = [
      ['zstd', Buffer.from(statusBody(1, 10))],
      ['gzip, br', gzipSync(statusBody(1, 10))],
      ['gzip', Buffer.from('no gzip')],
      ['gzip', bomb],
      ['constructor', Buffer.from(statusBody(1, 10))],
    ];
    for (const [coding, sent] of cases) {
      const headers = { ...signedBytes(sent), 'content-encoding': coding };
      expect(await post(pathOf('status'), sent, headers)).toMatchObject({ status: 204 });
    }
    expect((await rows()).map(({ reservationId }) => reservationId)).toEqual(cases.map(() => null));
  });

  it('receivers that are sent the same events at once, in any order, store each of them once and fail none', async () => {
    const other = database.kind === 'postgres' ? await lane.open() : database;
    const stores = [createInboxStore(database, sealer), createInboxStore(other, sealer)];
    const ids = Array.from({ length: 100 }, (_, i) => `msg_${i}`);
    const arrival = (eventId: string): Arrival => ({
      identity: 'webhook-id',
      eventId,
      channel: 'status',
      path: '/x',
      reservationId: 1,
      receivedAt: 1,
      headers: {},
      raw: Buffer.from(eventId),
      contentHashes: [eventId],
    });
    for (let round = 0; round < 5; round++) {
      const orders = [ids, ids.toReversed()];
      await Promise.all(
        stores.flatMap((store, i) => (orders[i] ?? []).map((id) => store.store(arrival(id)))),
      );
    }
    expect((await rows()).map(({ eventId, copies }) => `${eventId} ${copies}`).sort()).toEqual(
      ids.map((id) => `${id} 10`).sort(),
    );
    if (other !== database) await other.close();
  });

  it('a repeat of an event that was deleted in the meantime is stored, not lost', async () => {
    const store = createInboxStore(database, sealer);
    const arrival: Arrival = {
      identity: 'content',
      eventId: 'h',
      channel: 'status',
      path: '/x',
      reservationId: 1,
      receivedAt: 1,
      headers: {},
      raw: Buffer.from('x'),
      contentHashes: ['h'],
    };
    await store.store(arrival);
    // removed between the read of the newest row and the count
    let commits = 0;
    const commit: typeof database.commit = async (one) => {
      commits++;
      if (commits === 2) await database.db.delete(inbox);
      return database.commit(one);
    };
    await createInboxStore({ commit }, sealer).store(arrival);
    expect(commits).toBe(4);
    expect(await rows()).toMatchObject([{ copies: 1 }]);
  });

  it('events without an id read the newest of their reservations from the index, however many came', async () => {
    await database.db.execute(sql`
      insert into inbox (identity, event_id, channel, path, reservation_id, received_at, headers, raw, content_hash)
      select 'content', 'e' || n, 'status', '/x', 1 + n % 500, now(), '{}', '\\x00', 'h' || n
      from generate_series(1, 20000) n`);
    const { commit, plans } = recordQueries(database);
    const store = createInboxStore({ commit }, sealer);
    const arrival = (reservationId: number): Arrival => ({
      identity: 'content',
      eventId: `new ${reservationId}`,
      channel: 'status',
      path: '/x',
      reservationId,
      receivedAt: 1,
      headers: {},
      raw: Buffer.from('x'),
      contentHashes: [`new ${reservationId}`],
    });
    await Promise.all(Array.from({ length: 100 }, (_, i) => store.store(arrival(1 + i))));
    const found = (await plans()).filter((plan) => !plan.includes('Insert on inbox'));
    expect(found.length).toBeGreaterThan(0);
    for (const plan of found) {
      expect(plan).toContain('inbox_reservation');
      expect(plan).not.toContain('Seq Scan on inbox');
    }
  });

  it('every one of many concurrent callbacks is stored', async () => {
    const { post } = await use();
    const sent = Array.from({ length: 200 }, (_, i) => statusBody(1 + (i % 7), 10_000 + i));
    const answers = await Promise.all(sent.map((body) => post(pathOf('status'), body, signedHeaders(body))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect((await rows()).map(opened).sort()).toEqual([...sent].sort());
  });

  it('L63: an authentic callback that cannot be read is stored, acknowledged and visible', async () => {
    const { post } = await use();
    for (const body of ['', '{"reservationId":', 'null', '[1]', '{"reservationId":"no"}']) {
      expect(await post(pathOf('update'), body, signedHeaders(body))).toMatchObject({ status: 204 });
    }
    const { items } = await listInbox(database.db, { limit: 10 });
    expect(items).toHaveLength(5);
    expect(new Set(items.map(({ reservationId }) => reservationId))).toEqual(new Set([null]));
  });

  it('no callback is acknowledged before it is committed: a failing store is answered 503', async () => {
    const { post } = await use();
    await database.db.execute('alter table inbox rename to elsewhere');
    const body = statusBody(1, 10);
    const answer = await post(pathOf('status'), body, signedHeaders(body));
    expect(answer).toMatchObject({ status: 503, problem: { code: 'STORE_UNAVAILABLE' } });
    expect(answer.headers['retry-after']).toBe('1');
    await database.db.execute('alter table elsewhere rename to inbox');
    expect(await post(pathOf('status'), body, signedHeaders(body))).toMatchObject({ status: 204 });
  });
});

describe('what the callback receiver refuses', () => {
  setUp(embeddedLane());
  const body = statusBody(1, 10);

  it('a signature that is wrong, missing or stale: 401 with its code, and nothing is stored', async () => {
    const { post } = await use();
    const signed = signedHeaders(body);
    const old = signedHeaders(body, { at: new Date(Date.now() - 10 * 60_000) });
    const cases = [
      ['SIGNATURE_MISMATCH', { ...signed, 'webhook-signature': 'v1,AAAA' }],
      ['SIGNATURE_MISSING', { 'content-type': 'application/json' }],
      ['TIMESTAMP_STALE', old],
    ] as const;
    for (const [code, headers] of cases) {
      const answer = await post(pathOf('status'), body, headers);
      expect(answer).toMatchObject({
        status: 401,
        type: 'application/problem+json',
        problem: { code, status: 401 },
      });
      expect(answer.problem.detail).toMatch(/webhook|sign/);
    }
    expect(await rows()).toEqual([]);
  });

  it('a body over the limit: 413, announced or not', async () => {
    const { post, origin } = await use();
    const large = 'x'.repeat(300_000);
    expect(await post(pathOf('status'), large, signedHeaders(large))).toMatchObject({
      status: 413,
      problem: { code: 'BODY_TOO_LARGE' },
    });
    const chunked = await fetch(`${origin}${pathOf('status')}`, {
      method: 'POST',
      headers: signedHeaders(large),
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect(await rows()).toEqual([]);
  });

  it('the path without its secret: 401, and the secret is not stored', async () => {
    const secret = 'secret-path-of-16-letters';
    const { post } = await use({ authentication: { auth: 'secret-path', secrets: [secret] } });
    const wrong = await post(`/wrong${pathOf('status')}`, body, {});
    expect(wrong).toMatchObject({ status: 401, problem: { code: 'CALLBACK_UNAUTHORIZED' } });
    expect(wrong.body).not.toContain(secret);
    expect(await post(`/${secret}${pathOf('status')}`, body, {})).toMatchObject({ status: 204 });
    expect(await rows()).toMatchObject([{ path: pathOf('status') }]);
  });

  it('accepts any content type, and none', async () => {
    const { post } = await use();
    for (const type of [
      'application/json',
      'text/plain',
      'application/xml; charset=x',
      'no type at all',
      '',
    ]) {
      const headers = { ...signedHeaders(body), 'content-type': type };
      expect(await post(pathOf('status'), body, headers)).toMatchObject({ status: 204 });
    }
    const { 'content-type': _, ...without } = signedHeaders(body);
    expect(await post(pathOf('status'), body, without)).toMatchObject({ status: 204 });
    expect((await rows()).map(({ headers }) => headers['content-type'])).toContain('text/plain');
  });

  it('more than it can store in time: 503 with Retry-After', async () => {
    const { post } = await use({ inbox: { store: () => Promise.reject(new OverloadedError('full')) } });
    const answer = await post(pathOf('status'), body, signedHeaders(body));
    expect(answer).toMatchObject({ status: 503, problem: { code: 'INTAKE_OVERLOADED' } });
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('a sender that breaks off leaves nothing, and the next is served', async () => {
    const { post, origin } = await use();
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`POST ${pathOf('status')} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"half":`);
    socket.destroy();
    await once(socket, 'close');
    expect(await post(pathOf('status'), body, signedHeaders(body))).toMatchObject({ status: 204 });
    expect(await rows()).toHaveLength(1);
  });

  it('concurrent events share inserts, and one that cannot be stored fails alone', async () => {
    const store = createInboxStore(database, sealer);
    const arrival = (eventId: string) => ({
      identity: 'webhook-id' as const,
      eventId,
      channel: 'status' as const,
      path: '/x',
      reservationId: 1,
      receivedAt: 1,
      headers: {},
      raw: Buffer.from('x'),
      contentHashes: ['x'] as const,
    });
    const poison = { ...arrival('poison'), path: 'a null byte: \0' };
    const results = await Promise.allSettled(
      [arrival('a'), poison, arrival('b')].map((event) => store.store(event)),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await rows()).map(({ eventId }) => eventId)).toEqual(['a', 'b']);
  });
});
