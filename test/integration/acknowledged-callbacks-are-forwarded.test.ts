import { gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { authenticate } from '../../src/inbox/receive/authenticity.js';
import { openReceiver } from '../../src/outbox/deliver.js';
import { OutboxSender } from '../../src/outbox/sender.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { insertPosts } from '../../src/store/outbox/enqueue.js';
import { waitingPosts } from '../../src/store/outbox/queue.js';
import { inbox, outbox } from '../../src/store/schema.js';
import {
  aReservation,
  pathOf,
  reservationBody,
  signedBytes,
  signedHeaders,
  statusBody,
} from '../support/callbacks.js';
import { embeddedLane, onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { deadAddress, httpPeer, type PeerRequest } from '../support/http-peer.js';
import { opened, sealer, startReceiver } from '../support/intake.js';

const forwardSecret = `whsec_${Buffer.from('known to the channel and the supplier').toString('base64')}`;
const signedByChannel = { auth: 'standard-webhooks', secrets: [forwardSecret] } as const;

const supplierLane = embeddedLane();
let supplier: HandoverDatabase;
beforeAll(async () => {
  supplier = await supplierLane.open();
});
afterAll(() => supplier.close());

onOneDatabase('a channel that forwards', (lane) => {
  let channel: HandoverDatabase;
  beforeAll(async () => {
    channel = await lane.open();
  });
  afterEach(async () => {
    for (const { db } of [channel, supplier]) for (const table of [outbox, inbox]) await db.delete(table);
  });
  afterAll(() => channel.close());

  /** A deployment's receiver that puts what it stores on its way. */
  async function receiving(
    database: HandoverDatabase = channel,
    options: Omit<NonNullable<Parameters<typeof startReceiver>[1]>, 'inbox'> = {},
  ) {
    const inbox = createInboxStore(database, sealer, { forwards: true });
    const started = await startReceiver(database, { ...options, inbox });
    onTestFinished(() => started.close());
    return started;
  }
  function sending(url: string, database: HandoverDatabase = channel, secret: string = forwardSecret) {
    const receiver = openReceiver({ url, secret, timeoutMs: 5_000, connections: 4 });
    const sender = new OutboxSender({
      db: database.db,
      destination: 'forward',
      receiver,
      sealer,
      log: createLogger('silent'),
      pollMs: 5,
      retry: { firstMs: 10, longestMs: 40 },
    });
    sender.start();
    onTestFinished(async () => {
      await sender.stop();
      await receiver.close();
    });
  }
  const waits = (database = channel) => waitingPosts(database.db, 'forward').then(({ posts }) => posts);
  const allGone = (database = channel) =>
    eventually('all is forwarded', async () => (await waits(database)) === 0);
  const stored = (database: HandoverDatabase) => database.db.select().from(inbox).orderBy(inbox.id);
  /** Verifies as a supplier does. */
  const proof = ({ body, headers }: PeerRequest) =>
    authenticate({ raw: body, headers }, signedByChannel, Date.now());

  it('F70, F71: each accepted callback is forwarded as it came: bytes, path, type and coding, with a new signature', async () => {
    const peer = await httpPeer((response) => response.writeHead(204).end());
    const { post } = await receiving();
    const registration = reservationBody('registration', aReservation(7));
    const headers = signedHeaders(registration, { id: 'msg_first', headers: { 'content-type': 'text/odd' } });
    await post(pathOf('registration'), registration, headers);
    const packed = gzipSync(statusBody(7, 10));
    await post(pathOf('status'), packed, {
      ...signedBytes(packed, { id: 'msg_gz' }),
      'content-encoding': 'gzip',
    });
    expect(await waits()).toBe(2);
    sending(`${peer.url}/behind/a/proxy`);
    await allGone();
    const [first, second] = peer.requests;
    expect(first).toMatchObject({
      method: 'POST',
      url: `/behind/a/proxy${pathOf('registration')}`,
      headers: { 'webhook-id': 'msg_first', 'content-type': 'text/odd' },
      body: Buffer.from(registration),
    });
    expect(second?.headers).toMatchObject({ 'webhook-id': 'msg_gz', 'content-encoding': 'gzip' });
    expect(second?.body).toEqual(packed);
    expect(peer.requests.map(proof)).toEqual([null, null]);
    expect(first?.headers['webhook-signature']).not.toBe(headers['webhook-signature']);
  });

  it('F70, L63: an unreadable callback is forwarded too, also bytes that are no text, without waiting', async () => {
    const refusing = new Set(['msg_first']);
    const peer = await httpPeer((response, { headers }) =>
      response.writeHead(refusing.has(String(headers['webhook-id'])) ? 500 : 204).end(),
    );
    const { post } = await receiving();
    const raw = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
    for (const id of ['msg_first', 'msg_second'])
      expect((await post(pathOf('update'), raw, signedBytes(raw, { id }))).status).toBe(204);
    sending(peer.url);
    await eventually('the second is there', async () => (await waits()) === 1);
    const taken = peer.requests.find(({ headers }) => headers['webhook-id'] === 'msg_second');
    expect(taken?.body).toEqual(raw);
    expect(taken && proof(taken)).toBeNull();
  });

  it('F70: an event and its forwarding are stored together, so an event that cannot be forwarded is not acknowledged', async () => {
    const { post } = await receiving();
    const body = statusBody(1, 10);
    await channel.db.execute(sql`alter table outbox rename to outbox_away`);
    onTestFinished(async () => {
      await channel.db.execute(sql`alter table if exists outbox_away rename to outbox`);
    });
    expect((await post(pathOf('status'), body, signedHeaders(body, { id: 'msg_a' }))).status).toBe(503);
    expect(await stored(channel)).toEqual([]);
    await channel.db.execute(sql`alter table outbox_away rename to outbox`);
    expect((await post(pathOf('status'), body, signedHeaders(body, { id: 'msg_a' }))).status).toBe(204);
    expect([(await stored(channel)).length, await waits()]).toEqual([1, 1]);
  });

  it('F72: a repeat is not forwarded again; equal content without an id is, where it is a new event', async () => {
    const peer = await httpPeer((response) => response.writeHead(204).end());
    const bearer = { auth: 'bearer', secrets: ['a-secret-of-the-platform'] } as const;
    const { post } = await receiving(channel, { authentication: bearer });
    const authorization = { authorization: `Bearer ${bearer.secrets[0]}` };
    const send = (status: number, headers: Record<string, string> = {}) =>
      post(pathOf('status'), statusBody(3, status), { ...authorization, ...headers });
    for (const status of [10, 10, 15, 10, 10]) await send(status);
    for (const _ of [1, 2]) await send(30, { 'webhook-id': 'msg_once' });
    await send(35, { 'webhook-id': 'msg_once' });
    sending(peer.url);
    await allGone();
    const statuses = peer.requests.map(({ body }) => JSON.parse(body.toString()).reservationStatus);
    expect(statuses).toEqual([10, 15, 10, 30, 35]);
    const ids = peer.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(5);
    expect(ids.filter((id) => id === 'msg_once')).toHaveLength(1);
    expect(peer.requests.some(({ headers }) => 'authorization' in headers)).toBe(false);
  });

  it('F72, F73: after a lost answer or an outage the supplier has one row for each event, in the order of their reservation', async () => {
    const { post } = await receiving();
    const other = await receiving(supplier, { authentication: signedByChannel });
    let lost = 0;
    const between = await httpPeer(async (response, { url, body, headers }) => {
      const { 'content-length': _, connection: __, host: ___, ...rest } = headers;
      if (lost === 0) return void response.writeHead(503, {}).end(void lost++);
      const { status } = await other.post(url, body, rest as Record<string, string>);
      response.writeHead(lost++ === 1 ? 502 : status).end(); // it arrived, and no answer says so
    });
    for (const status of [5, 10, 15, 20]) {
      const body = statusBody(status % 2, status);
      await post(pathOf('status'), body, signedHeaders(body));
    }
    sending(between.url);
    await allGone();
    const rows = await stored(supplier);
    expect(rows.map(({ copies }) => copies).toSorted()).toEqual([1, 1, 1, 2]);
    const ofReservation = (id: number) =>
      rows
        .filter((row) => row.reservationId === id)
        .map((row) => JSON.parse(opened(row) ?? '').reservationStatus);
    const order = await stored(channel);
    expect(rows.map(({ eventId }) => eventId).toSorted()).toEqual(
      order.map(({ eventId }) => eventId).toSorted(),
    );
    expect(ofReservation(1)).toEqual([5, 15]);
    expect(rows.every(({ identity }) => identity === 'webhook-id')).toBe(true);
  });

  it('F74: a dead receiver of alerts delays no event and receives none', async () => {
    const peer = await httpPeer((response) => response.writeHead(204).end());
    const alerts = Array.from({ length: 20 }, (_, n) => ({
      key: 'reservation-1',
      messageId: `alert-${n}`,
      createdAt: Date.now(),
      body: {},
    }));
    await channel.db.execute(insertPosts(sealer, alerts));
    const receiver = openReceiver({
      url: await deadAddress(),
      secret: forwardSecret,
      timeoutMs: 5_000,
      connections: 4,
    });
    const sender = new OutboxSender({
      db: channel.db,
      destination: 'alerts',
      receiver,
      sealer,
      log: createLogger('silent'),
    });
    sender.start();
    onTestFinished(async () => {
      await sender.stop();
      await receiver.close();
    });
    const { post } = await receiving();
    const body = statusBody(1, 10);
    await post(pathOf('status'), body, signedHeaders(body, { id: 'alert-0' }));
    sending(peer.url);
    await allGone();
    expect(peer.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['alert-0']);
    expect(await waitingPosts(channel.db, 'alerts')).toMatchObject({ posts: 20 });
  });

  it('F76: the secret in a path is not forwarded', async () => {
    const peer = await httpPeer((response) => response.writeHead(204).end());
    const secret = 'a-secret-in-the-path';
    const { post } = await receiving(channel, { authentication: { auth: 'secret-path', secrets: [secret] } });
    await post(`/${secret}${pathOf('status')}`, statusBody(1, 10), { 'x-forwarded-for': secret });
    sending(peer.url);
    await allGone();
    expect(peer.requests).toHaveLength(1);
    expect(JSON.stringify(peer.requests)).not.toContain(secret);
    expect(peer.requests[0]?.url).toBe(pathOf('status'));
  });

  it('F77: an event that is forwarded in a circle, to the deployment itself or through another, stops', async () => {
    const both = { auth: 'standard-webhooks', secrets: [forwardSecret] } as const;
    const here = await receiving(channel, { authentication: both });
    const there = await receiving(supplier, { authentication: both });
    const withId = statusBody(1, 10);
    const headers = signedHeaders(withId, { id: 'msg_round', secret: forwardSecret });
    await here.post(pathOf('status'), withId, headers);
    sending(there.origin);
    sending(here.origin, supplier);
    const isBack = async () => (await stored(channel))[0]?.copies === 2;
    await eventually('it is back', isBack);
    await allGone();
    await allGone(supplier);
    expect((await stored(channel)).map(({ copies }) => copies)).toEqual([2]);
    expect((await stored(supplier)).map(({ copies }) => copies)).toEqual([1]);
  });

  it('without FORWARD_URL nothing is forwarded', async () => {
    const { post } = await startReceiver(channel);
    const body = statusBody(1, 10);
    await post(pathOf('status'), body, signedHeaders(body));
    expect([(await stored(channel)).length, await waits()]).toEqual([1, 0]);
  });
});
