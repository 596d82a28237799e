import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { collectGarbage } from '../../src/app/startup/collect-garbage.js';
import { identityOf } from '../../src/domain/reservation/entry-identity.js';
import type { TimelineEntry } from '../../src/domain/reservation/types.js';
import { deferred } from '../../src/domain/shared/deferred.js';
import { createAttentionPosts } from '../../src/outbox/attention-posts.js';
import { withConsoleAddress } from '../../src/outbox/console-address.js';
import { openReceiver } from '../../src/outbox/deliver.js';
import { dropUnaccepted } from '../../src/outbox/retention.js';
import { OutboxSender, type OutboxSenderOptions } from '../../src/outbox/sender.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { insertPosts, type Post } from '../../src/store/outbox/enqueue.js';
import { claimPosts, waitingPosts } from '../../src/store/outbox/queue.js';
import { createRecorder, writeTogether } from '../../src/store/reservations/record.js';
import { alerts, outbox, timeline } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { startReceiver } from '../support/callback-receiver.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { deadAddress } from '../support/http-peer.js';

const sealer = createSealer([publicTestKey]);
const secret = `whsec_${Buffer.from('a secret of the alert receiver').toString('base64')}`;
const origin = Date.UTC(2026, 10, 21);

onOneDatabase('posts', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    for (const table of [outbox, alerts, timeline]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  /** A receiver that verifies what it takes, and the sender to it. */
  async function receiving(
    options: Partial<OutboxSenderOptions> & { url?: string; timeoutMs?: number } = {},
  ) {
    const receiver = await startReceiver();
    const { url = receiver.url, timeoutMs = 5_000, ...rest } = options;
    const open = openReceiver({ url, secret, timeoutMs, connections: 4 });
    const sender = new OutboxSender({
      db: database.db,
      destination: 'alerts',
      receiver: open,
      sealer,
      log: createLogger('silent'),
      pollMs: 5,
      retry: { firstMs: 10, longestMs: 40 },
      ...rest,
    });
    const stop = async () => {
      await sender.stop();
      await open.close();
      await receiver.close();
    };
    onTestFinished(stop);
    return { receiver, sender, ids: () => receiver.received.map(({ headers }) => headers['webhook-id']) };
  }
  const post = (key: string, messageId: string = randomUUID(), body: object = { messageId }): Post => ({
    key,
    messageId,
    createdAt: Date.now(),
    body,
  });
  const put = (...posts: Post[]) => database.db.execute(insertPosts(sealer, posts));
  const empty = () =>
    eventually('the outbox is empty', async () => (await waitingPosts(database.db, 'alerts')).posts === 0);
  const rows = () => database.db.select().from(outbox).orderBy(outbox.id);

  it('each carries a Standard Webhooks signature over its bytes, with the time of its attempt', async () => {
    const { receiver, sender } = await receiving();
    receiver.answerWith(() => (receiver.received.length === 1 ? 503 : 204));
    await put(post('a', 'message-1', { type: 'attention.raised', note: '한국' }));
    sender.start();
    await empty();
    expect(receiver.received).toHaveLength(2);
    for (const { raw, headers, path } of receiver.received) {
      expect(new Webhook(secret).verify(raw, headers as Record<string, string>)).toEqual({
        type: 'attention.raised',
        note: '한국',
      });
      expect(headers).toMatchObject({ 'webhook-id': 'message-1', 'content-type': 'application/json' });
      expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
      expect(path).toBe('/');
    }
  });

  it('has the address that opens what it is about, where the address of the console is known', async () => {
    const receiver = await startReceiver();
    const open = openReceiver({ url: receiver.url, secret, timeoutMs: 5_000, connections: 4 });
    onTestFinished(async () => {
      await open.close();
      await receiver.close();
    });
    const addressed = withConsoleAddress(open, 'https://handover.example');
    const bodies = [{ kind: 'return-late', path: '/r/8421' }, { kind: 'of a release before 0.4.0' }];
    for (const [index, body] of bodies.entries()) {
      const message = { messageId: `m-${index}`, path: '', body: Buffer.from(JSON.stringify(body)) };
      expect(await addressed.deliver(message, AbortSignal.timeout(5_000))).toEqual({ accepted: true });
    }
    const received = receiver.received.map(({ headers, raw }) =>
      new Webhook(secret).verify(raw, headers as Record<string, string>),
    );
    expect(received).toEqual([{ ...bodies[0], url: 'https://handover.example/r/8421' }, bodies[1]]);
  });

  it('goes to the path of the address that was given', async () => {
    const { receiver, sender } = await receiving();
    const open = openReceiver({
      url: `${receiver.url}/hooks/x?team=1`,
      secret,
      timeoutMs: 5_000,
      connections: 1,
    });
    onTestFinished(() => open.close());
    expect(
      await open.deliver({ messageId: 'm', path: '', body: Buffer.from('{}') }, AbortSignal.timeout(5_000)),
    ).toEqual({
      accepted: true,
    });
    expect(receiver.received[0]?.path).toBe('/hooks/x?team=1');
    await sender.stop();
  });

  it.each([200, 201, 202, 204, 299])('an answer of %d accepts it', async (status) => {
    const { receiver, sender } = await receiving();
    receiver.answerWith(() => status);
    await put(post('a'));
    sender.start();
    await empty();
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    [301, 'HTTP_301'],
    [400, 'HTTP_400'],
    [410, 'HTTP_410'],
    [429, 'HTTP_429'],
    [500, 'HTTP_500'],
  ])(
    'an answer of %d does not accept it: it is sent again, and its row has the error %s',
    async (status, code) => {
      const { receiver, sender } = await receiving();
      // until its row was read: on a busy machine the next attempt may be over before
      let isSeen = false;
      const answers: number[] = [];
      receiver.answerWith(() => {
        const answer = isSeen && answers.length > 1 ? 204 : status;
        answers.push(answer);
        return answer;
      });
      await put(post('a'));
      sender.start();
      await eventually('it failed', async () => (await rows())[0]?.lastError === code);
      isSeen = true;
      await empty();
      expect(answers.length).toBeGreaterThan(2);
      expect(answers.indexOf(204)).toBe(answers.length - 1);
    },
  );

  it('a redirect is not followed, because the message is for the configured receiver only', async () => {
    const other = await startReceiver();
    onTestFinished(() => other.close());
    const { receiver } = await receiving();
    const open = openReceiver({ url: `${receiver.url}`, secret, timeoutMs: 5_000, connections: 1 });
    onTestFinished(() => open.close());
    receiver.answerWith(() => 307);
    const delivery = await open.deliver(
      { messageId: 'm', path: '', body: Buffer.from('{}') },
      AbortSignal.timeout(5_000),
    );
    expect(delivery).toEqual({ accepted: false, code: 'HTTP_307' });
    expect(other.received).toEqual([]);
  });

  it('a receiver that hangs costs the limit of one attempt and no more', async () => {
    const { receiver, sender } = await receiving({ timeoutMs: 1_000 });
    receiver.answerWith(() => (receiver.received.length === 1 ? null : 204));
    await put(post('a'));
    sender.start();
    await empty();
    expect(receiver.received).toHaveLength(2);
  });

  it('an attempt at a receiver that hangs ends at its limit, also where garbage is collected meanwhile', async () => {
    const { receiver } = await receiving();
    receiver.answerWith(() => null);
    const open = openReceiver({ url: receiver.url, secret, timeoutMs: 500, connections: 1 });
    onTestFinished(() => open.close());
    const collecting = setInterval(collectGarbage, 20);
    onTestFinished(() => clearInterval(collecting));
    const message = { messageId: 'm', path: '', body: Buffer.from('{}') };
    expect(await open.deliver(message, new AbortController().signal)).toEqual({
      accepted: false,
      code: 'TIMEOUT',
    });
  });

  it('posts of one key are sent in order, one after the other, also where each fails at first', async () => {
    const { receiver, sender, ids } = await receiving();
    const tried = new Map<string, number>();
    let under = 0;
    let most = 0;
    receiver.answerWith(async ({ headers }) => {
      const id = String(headers['webhook-id']);
      tried.set(id, (tried.get(id) ?? 0) + 1);
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 2));
      under -= 1;
      return tried.get(id) === 1 ? 500 : 204;
    });
    const messages = Array.from({ length: 8 }, (_, i) => `m-${i}`);
    await put(...messages.map((id) => post('one key', id)));
    sender.start();
    await empty();
    expect(ids()).toEqual(messages.flatMap((id) => [id, id]));
    expect(most).toBe(1);
  });

  it('a key whose first post is never accepted blocks no other key', async () => {
    const { receiver, sender, ids } = await receiving();
    receiver.answerWith(({ headers }) => (headers['webhook-id'] === 'poison' ? 400 : 204));
    await put(post('bad', 'poison'), post('bad', 'behind'), ...['x', 'y', 'z'].map((key) => post(key, key)));
    sender.start();
    await eventually('the others are through', () => ['x', 'y', 'z'].every((id) => ids().includes(id)));
    await put(post('later', 'later'));
    await eventually('a later one too', () => ids().includes('later'));
    await eventually('nothing else waits', async () => (await rows()).length === 2);
    expect((await rows()).map(({ messageId }) => messageId)).toEqual(['poison', 'behind']);
    expect(ids()).not.toContain('behind');
  });

  it('a bounded number of posts is under way at once, and keys are sent in parallel', async () => {
    const { receiver, sender } = await receiving({ concurrency: 3 });
    let under = 0;
    let most = 0;
    const { promise: mayAnswer, resolve: letAnswer } = deferred();
    receiver.answerWith(async () => {
      under += 1;
      most = Math.max(most, under);
      // the first wait for each other, and a moment for one too many
      if (under === 3) setTimeout(letAnswer, 10);
      await mayAnswer;
      under -= 1;
      return 204;
    });
    await put(...Array.from({ length: 12 }, (_, i) => post(`key-${i}`)));
    sender.start();
    await empty();
    expect(most).toBe(3);
  });

  it('all posts arrive in order once a receiver that was down is back', async () => {
    const { receiver, sender, ids } = await receiving();
    let isDown = true;
    receiver.answerWith(() => (isDown ? 503 : 204));
    const posts = [0, 1, 2].flatMap((n) =>
      ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => post(key, `${key}-${n}`)),
    );
    await put(...posts);
    sender.start();
    await eventually('it was tried', () => receiver.received.length > 8);
    isDown = false;
    const before = receiver.received.length;
    await empty();
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const after = ids()
        .slice(before)
        .filter((id) => id?.toString().startsWith(key));
      expect(after).toEqual([`${key}-0`, `${key}-1`, `${key}-2`]);
    }
  });

  it('a refused connection is a failure like any other, and a later sender continues with the waiting posts', async () => {
    const dead = await receiving({ url: await deadAddress() });
    await put(post('a', 'first'), post('a', 'second'));
    dead.sender.start();
    await eventually('it failed', async () => ((await rows())[0]?.failures ?? 0) > 1);
    await dead.sender.stop();
    expect(await rows()).toHaveLength(2);
    const { sender, ids } = await receiving();
    sender.start();
    await empty();
    expect(ids()).toEqual(['first', 'second']);
  });

  it('two senders on one database send each post once and in order while nothing fails', async () => {
    const { receiver, sender, ids } = await receiving();
    const second = await receiving({ url: receiver.url });
    const messages = Array.from({ length: 20 }, (_, i) => ({ key: `key-${i % 3}`, id: `m-${i}` }));
    await put(...messages.map(({ key, id }) => post(key, id)));
    sender.start();
    second.sender.start();
    await empty();
    expect(ids().toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
    for (const key of ['key-0', 'key-1', 'key-2']) {
      const own = messages.filter((one) => one.key === key).map(({ id }) => id);
      expect(ids().filter((id) => own.includes(String(id)))).toEqual(own);
    }
  });

  it('another process sends the posts that a dead process had claimed, after its lease', async () => {
    await put(post('a', 'first'), post('a', 'second'));
    const [claimed] = await claimPosts(database.db, 'alerts', { most: 5, leaseMs: 60_000 });
    expect(claimed?.messageId).toBe('first');
    expect(await claimPosts(database.db, 'alerts', { most: 5, leaseMs: 60_000 })).toEqual([]);
    await database.db.execute(
      sql`update outbox set next_try_at = now() - interval '1 second' where next_try_at is not null`,
    );
    expect(await claimPosts(database.db, 'alerts', { most: 5, leaseMs: 60_000 })).toMatchObject([
      { messageId: 'first' },
    ]);
  });

  it('a stop waits briefly for a post under way, then leaves it for the next start', async () => {
    const { receiver, sender } = await receiving({ graceMs: 20 });
    receiver.answerWith(() => null);
    await put(post('a'));
    sender.start();
    await eventually('it is under way', () => receiver.received.length === 1);
    await sender.stop();
    expect(await rows()).toMatchObject([{ failures: 0, nextTryAt: null }]);
  });

  it('a post that was not accepted within the retention is dropped and logged', async () => {
    const lines: string[] = [];
    const log = createLogger('error', { write: (line: string) => void lines.push(line) });
    await put(post('a', 'old'), post('b', 'young'));
    await database.db.execute(
      sql`update outbox set stored_at = now() - interval '2 minutes' where message_id = 'old'`,
    );
    await dropUnaccepted(database.db, { alerts: 180_000, forward: 60_000 }, log);
    expect(await rows()).toHaveLength(2);
    await dropUnaccepted(database.db, { alerts: 60_000, forward: 180_000 }, log);
    expect(await rows()).toMatchObject([{ messageId: 'young' }]);
    expect(lines.join()).toContain('"messageIds":["old"]');
  });

  it('L60: the database stores posts encrypted', async () => {
    await put(post('a', 'm', { secret: 'PERSONAL' }));
    const [row] = await rows();
    expect(row?.body.toString('latin1')).not.toContain('PERSONAL');
    expect(sealer.open(row?.body ?? Buffer.alloc(0), 'outbox/m').toString()).toBe('{"secret":"PERSONAL"}');
  });

  it('the backlog has the number of waiting posts and since when they wait', async () => {
    expect(await waitingPosts(database.db, 'alerts')).toEqual({ posts: 0, oldestAt: null });
    await put(post('a'), post('b'));
    await database.db.update(outbox).set({ storedAt: origin }).where(eq(outbox.key, 'a'));
    expect(await waitingPosts(database.db, 'alerts')).toEqual({ posts: 2, oldestAt: origin });
  });

  describe('alerts', () => {
    const suspended = { kind: 'role-suspended', subject: 'supplier' } as const;
    const raised = { ...suspended, message: 'check the key', at: origin };
    const store = (post = true) => createAlerts(database.db, { sealer, post });

    it('one alert is open per kind and subject, however often it is raised, and each change is one post', async () => {
      const { receiver, sender } = await receiving();
      const alerts = store();
      expect(await Promise.all([1, 2, 3].map(() => alerts.raise(raised)))).toContain(true);
      expect(await alerts.raise({ ...raised, at: origin + 1 })).toBe(false);
      expect(await alerts.raise({ ...raised, subject: 'channel' })).toBe(true);
      expect(await alerts.clear({ ...suspended, at: origin + 60_000 })).toBe(true);
      expect(await alerts.clear({ ...suspended, at: origin + 70_000 })).toBe(false);
      expect(await alerts.raise({ ...raised, at: origin + 80_000 })).toBe(true);
      sender.start();
      await empty();
      const since = '2026-11-21T00:00:00.000Z';
      const posted = receiver.received
        .map(({ body }) => body)
        .filter(({ subject }) => subject === 'supplier');
      expect(posted).toEqual([
        { type: 'alert.raised', ...suspended, since, at: since, message: 'check the key', path: '/' },
        {
          type: 'alert.cleared',
          ...suspended,
          since,
          at: '2026-11-21T00:01:00.000Z',
          message: 'check the key',
          path: '/',
        },
        {
          type: 'alert.raised',
          ...suspended,
          since: '2026-11-21T00:01:20.000Z',
          at: '2026-11-21T00:01:20.000Z',
          message: 'check the key',
          path: '/',
        },
      ]);
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('without an address nothing is posted', async () => {
      const alerts = store(false);
      await alerts.raise(raised);
      await alerts.clear({ ...suspended, at: origin });
      expect(await rows()).toEqual([]);
    });

    it('are listed newest first, the open ones or all, paged', async () => {
      const alerts = store(false);
      await alerts.raise(raised);
      await alerts.raise({ ...raised, subject: 'channel' });
      await alerts.raise({ kind: 'intake-silent', subject: '', message: 'no callbacks', at: origin });
      await alerts.clear({ ...suspended, at: origin + 5 });
      const shown = async (filter: Partial<Parameters<typeof alerts.list>[0]>) =>
        (await alerts.list({ state: 'all', limit: 10, ...filter })).items.map(({ subject }) => subject);
      expect(await shown({})).toEqual(['', 'channel', 'supplier']);
      expect(await shown({ state: 'open' })).toEqual(['', 'channel']);
      expect(await shown({ kind: 'role-suspended' })).toEqual(['channel', 'supplier']);
      const first = await alerts.list({ state: 'all', limit: 2 });
      expect(first.items.map(({ subject }) => subject)).toEqual(['', 'channel']);
      const second = await alerts.list({ state: 'all', limit: 2, cursor: first.nextCursor ?? '' });
      expect(second).toMatchObject({ items: [{ subject: 'supplier' }], nextCursor: null });
      expect((await alerts.list({ state: 'all', kind: 'role-suspended', limit: 10 })).items).toMatchObject([
        { clearedAt: null },
        { since: origin, clearedAt: origin + 5, message: 'check the key' },
      ]);
    });
  });

  describe('attention items', () => {
    const line = (seq: number, change?: 'raised' | 'cleared'): TimelineEntry => ({
      seq,
      at: origin + seq * 1_000,
      kind: 'timer',
      rule: 'L43',
      text: `line ${seq}`,
      data: {},
      ...(change !== undefined && {
        attention: { kind: 'return-late', change, since: origin, alert: `reservation 7: ${change}` },
      }),
    });

    const idOf = (entry: TimelineEntry) => `attention-7-${identityOf(entry)}`;

    it('another entry under the same number is another post, with another id', async () => {
      const post = createAttentionPosts(database.db, sealer);
      await post({ reservationId: 7, entries: [line(1, 'raised')] });
      await post({ reservationId: 7, entries: [{ ...line(2, 'cleared'), seq: 1 }] });
      const ids = (await rows()).map(({ messageId }) => messageId);
      expect(new Set(ids).size).toBe(2);
    });

    it('each entry that raises or clears an item is a post of its reservation, in order', async () => {
      const { receiver, sender, ids } = await receiving();
      const post = createAttentionPosts(database.db, sealer);
      await post({ reservationId: 7, entries: [line(1), line(2, 'raised'), line(3), line(4, 'cleared')] });
      await post({ reservationId: 7, entries: [line(5, 'raised')] });
      sender.start();
      await empty();
      expect(ids()).toEqual([idOf(line(2, 'raised')), idOf(line(4, 'cleared')), idOf(line(5, 'raised'))]);
      expect(receiver.received[1]?.body).toEqual({
        type: 'attention.cleared',
        kind: 'return-late',
        reservationId: 7,
        since: '2026-11-21T00:00:00.000Z',
        at: '2026-11-21T00:00:04.000Z',
        message: 'reservation 7: cleared',
        path: '/r/7',
      });
    });

    it('the same entries again are the same posts', async () => {
      const post = createAttentionPosts(database.db, sealer);
      const lines = { reservationId: 7, entries: [line(1, 'raised'), line(2, 'cleared')] };
      await Promise.all([post(lines), post(lines), post(lines)]);
      expect((await rows()).map(({ messageId }) => messageId)).toEqual([
        idOf(line(1, 'raised')),
        idOf(line(2, 'cleared')),
      ]);
    });

    it('beside a case file, an entry and its post are stored together, and only once', async () => {
      const step = { reservationId: 7, verdicts: [], entries: [line(1, 'raised'), line(2, 'cleared')] };
      await writeTogether(database.db, [step], { sealer });
      await database.db.delete(outbox);
      const more = { ...step, entries: [...step.entries, line(3, 'raised')] };
      await writeTogether(database.db, [more], { sealer });
      expect((await rows()).map(({ messageId }) => messageId)).toEqual([idOf(line(3, 'raised'))]);
    });

    it('without an address the step writes its entries and nothing else', async () => {
      await createRecorder(database.db)({ reservationId: 7, verdicts: [], entries: [line(1, 'raised')] });
      expect(await rows()).toEqual([]);
      expect(await database.db.select().from(timeline)).toHaveLength(1);
    });
  });
});
