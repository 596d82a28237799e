import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { openReceiver } from '../../src/outbox/deliver.js';
import { dropUnaccepted } from '../../src/outbox/retention.js';
import { OutboxSender } from '../../src/outbox/sender.js';
import { createAudit } from '../../src/store/audit.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createUndeliveredPosts } from '../../src/store/outbox/dead-letters.js';
import { insertPosts } from '../../src/store/outbox/enqueue.js';
import { claimPosts, deadPosts, postponePost, waitingPosts } from '../../src/store/outbox/queue.js';
import { audit, outbox } from '../../src/store/schema.js';
import { startReceiver } from '../support/callback-receiver.js';
import { onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { answersIn, sealer } from '../support/intake.js';

const secret = `whsec_${Buffer.from('a secret of the alert receiver').toString('base64')}`;
const order = { by: 'lee', reason: 'the receiver is repaired' };

onOneDatabase('a post that is refused', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    for (const table of [outbox, audit]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const put = (key: string, ...messageIds: string[]) =>
    database.db.execute(
      insertPosts(
        sealer,
        messageIds.map((messageId) => ({ key, messageId, createdAt: Date.now(), body: { messageId } })),
      ),
    );
  const undelivered = () => createUndeliveredPosts(database, { sealer, answers: answersIn(database.db) });
  const rows = () => database.db.select().from(outbox).orderBy(outbox.id);
  const later = (minutes: number) =>
    database.db.execute(sql`update outbox set next_try_at = null,
      refused_since = refused_since - ${minutes} * interval '1 minute'`);

  /** A receiver that refuses some posts, and the sender to it. */
  async function receiving(refused: Set<string>, status: number) {
    const receiver = await startReceiver();
    receiver.answerWith(({ headers }) => (refused.has(String(headers['webhook-id'])) ? status : 204));
    const open = openReceiver({ url: receiver.url, secret, timeoutMs: 5_000, connections: 4 });
    const sender = new OutboxSender({
      db: database.db,
      destination: 'alerts',
      receiver: open,
      sealer,
      pollMs: 5,
      log: createLogger('silent'),
      retry: { firstMs: 10, longestMs: 40 },
    });
    sender.start();
    onTestFinished(async () => {
      await sender.stop();
      await open.close();
      await receiver.close();
    });
    const taken = () =>
      receiver.received.map(({ headers }) => String(headers['webhook-id'])).filter((id) => !refused.has(id));
    return { taken };
  }

  it('becomes a dead letter after ten minutes, and the posts behind it are sent; a manager resends it', async () => {
    await put('a', 'poison', 'behind');
    const refused = new Set(['poison']);
    const { taken } = await receiving(refused, 422);
    await eventually('it is refused', async () => (await rows())[0]?.refusedSince != null);
    expect(taken()).toEqual([]);
    await later(10);
    await eventually('what is behind it is sent', () => taken().includes('behind'));
    const [dead] = await rows();
    expect(dead).toMatchObject({ messageId: 'poison', lastError: 'HTTP_422', deadAt: expect.any(Number) });
    await eventually('nothing waits', async () => (await waitingPosts(database.db, 'alerts')).posts === 0);
    expect([await deadPosts(database.db, 'alerts'), await deadPosts(database.db, 'forward')]).toEqual([1, 0]);
    const listed = await undelivered().list({ state: 'dead', limit: 10 });
    expect(listed.items).toMatchObject([{ messageId: 'poison', state: 'dead', lastError: 'HTTP_422' }]);
    expect((await undelivered().list({ state: 'waiting', limit: 10 })).items).toEqual([]);

    refused.clear();
    const id = dead?.id ?? 0;
    expect(await undelivered().resend({ id: id + 1_000 }, order)).toBeUndefined();
    expect(await undelivered().resend({ destination: 'forward' }, order)).toEqual([]);
    const keyed = { ...order, commandId: 'key-1' };
    expect(await undelivered().resend({ id }, keyed)).toEqual([id]);
    expect(await undelivered().resend({ id }, keyed)).toEqual([id]);
    expect(await undelivered().resend({}, keyed)).toBe('reused');
    await eventually('it is taken', () => taken().includes('poison'));
    const { items } = await createAudit(database.db, sealer).list({ limit: 10 });
    expect(items).toMatchObject([
      {
        action: 'outbox.resend',
        subject: `outbox/${id}`,
        by: 'lee',
        reason: order.reason,
        data: { posts: 1 },
      },
    ]);
  });

  it('waits with a code that may concern all posts, until the receiver accepts another post', async () => {
    await put('a', 'poison', 'behind');
    const { taken } = await receiving(new Set(['poison']), 404);
    await eventually('it is refused', async () => (await rows())[0]?.refusedSince != null);
    await later(60);
    const { failures = 0 } = (await rows())[0] ?? {};
    await eventually('it is tried again', async () => ((await rows())[0]?.failures ?? 0) > failures + 1);
    expect(await deadPosts(database.db, 'alerts')).toBe(0);
    await put('b', 'another');
    await eventually('it is given up, and what is behind it is sent', () => taken().includes('behind'));
    expect(await deadPosts(database.db, 'alerts')).toBe(1);
  });

  it('that cannot be read is a dead letter at once, and does not count as a failure of the receiver', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys) await put(key, `damaged ${key}`, `behind ${key}`);
    await database.db.execute(sql`
      update outbox set body = substring(body for octet_length(body) - 1) where message_id like 'damaged %'`);
    const { taken } = await receiving(new Set(), 422);
    await eventually('what is behind them is sent', () => taken().length === keys.length);
    expect(taken().sort()).toEqual(keys.map((key) => `behind ${key}`));
    await eventually('nothing waits', async () => (await waitingPosts(database.db, 'alerts')).posts === 0);
    expect(await rows()).toMatchObject(
      keys.map((key) => ({ messageId: `damaged ${key}`, lastError: 'CODEC_PAYLOAD_DAMAGED', failures: 1 })),
    );
  });

  it('counts from its first refusal in a row: another kind of failure starts the count again', async () => {
    await put('a', 'first');
    for (const isRefused of [true, false]) {
      const [claimed] = await claimPosts(database.db, 'alerts', { most: 1, leaseMs: 60_000 });
      if (claimed === undefined) throw new Error('nothing was claimed');
      await postponePost(database.db, claimed, { code: 'X', waitMs: 0, isRefused });
      expect((await rows())[0]?.refusedSince !== null).toBe(isRefused);
    }
  });

  it('a dead letter is dropped after the retention, counted from when it was given up and again from when it is resent', async () => {
    const log = createLogger('silent');
    const drop = () => dropUnaccepted(database.db, { alerts: 60_000, forward: 60_000 }, log);
    await put('a', 'dead');
    await database.db.execute(sql`update outbox set stored_at = now() - interval '1 day', dead_at = now()`);
    await drop();
    expect(await rows()).toHaveLength(1);
    await undelivered().resend({}, order);
    await drop();
    expect(await rows()).toMatchObject([{ deadAt: null, failures: 0 }]);
    await database.db.execute(sql`update outbox set dead_at = now() - interval '2 minutes'`);
    await drop();
    expect(await rows()).toEqual([]);
  });

  it('dated in the future counts as waiting and is dropped by its real age', async () => {
    await put('a', 'future');
    await database.db.execute(sql`
      update outbox set created_at = now() + interval '1 year', stored_at = now() - interval '1 hour'`);
    const { oldestAt } = await waitingPosts(database.db, 'alerts');
    expect(oldestAt).toBeLessThan(Date.now() - 3_000_000);
    await dropUnaccepted(database.db, { alerts: 60_000, forward: 60_000 }, createLogger('silent'));
    expect(await rows()).toEqual([]);
  });

  it('a process that was frozen with a claim changes no post that another process has claimed since', async () => {
    await put('a', 'first');
    const [frozen] = await claimPosts(database.db, 'alerts', { most: 1, leaseMs: 1 });
    const other = await eventually('its lease is over', async () => {
      const [claimed] = await claimPosts(database.db, 'alerts', { most: 1, leaseMs: 60_000 });
      return claimed;
    });
    if (frozen === undefined) throw new Error('nothing was claimed');
    const failed = { code: 'TIMEOUT', waitMs: 0, isRefused: false };
    await postponePost(database.db, frozen, failed);
    expect(await rows()).toMatchObject([{ failures: 0 }]);
    await postponePost(database.db, other, failed);
    expect(await rows()).toMatchObject([{ failures: 1 }]);
  });
});
