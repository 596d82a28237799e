import { EventEmitter } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { ChangeFeed, type FeedMessage } from '../../src/store/changes/feed.js';
import type { HandoverDatabase } from '../../src/store/handover.js';

/** What a database does with notifications. */
class FakeDatabase {
  answers = true;
  delivers = true;
  sessions = 0;
  private readonly notifications = new EventEmitter();
  private loseSession = () => {};

  prompt = {
    execute: async () => {
      if (!this.answers) throw new Error('no answer');
      if (this.delivers) this.deliver('["check"]');
    },
  } as unknown as HandoverDatabase['prompt'];

  session = async () => {
    if (!this.answers) throw new Error('no session');
    this.sessions += 1;
    const lost = new Promise<void>((resolve) => {
      this.loseSession = resolve;
    });
    return {
      lost,
      listen: async (channel: string, onNotify: (payload: string) => void) => {
        this.notifications.on(channel, onNotify);
      },
      close: async () => void this.notifications.removeAllListeners(),
    } as unknown as Awaited<ReturnType<HandoverDatabase['session']>>;
  };

  deliver(payload: string): void {
    this.notifications.emit('handover_changes', payload);
  }
  lose(): void {
    this.loseSession();
  }
}

let feed: ChangeFeed;
afterEach(() => {
  vi.useRealTimers();
  return feed.stop();
});

async function start(database: FakeDatabase, restPerReaderMs = 1) {
  feed = new ChangeFeed(database, { checkEveryMs: 20, gatherMs: 1, restPerReaderMs });
  const messages: FeedMessage[] = [];
  feed.read((message) => messages.push(message));
  const last = () => messages.map(({ id: _, ...message }: FeedMessage & { id?: string }) => message).at(-1);
  return { messages, last };
}
const isLive = { kind: 'reset', degraded: null };

it('until the first notification arrives, changes are not received', async () => {
  const { messages, last } = await start(new FakeDatabase());
  expect(messages).toEqual([{ kind: 'degraded', degraded: 'NOTIFICATIONS_MISSING' }]);
  await expect.poll(last).toEqual(isLive);
});

it('a database that does not answer is reported, and its return is: then everything is read again', async () => {
  const database = new FakeDatabase();
  const { last } = await start(database);
  await expect.poll(last).toEqual(isLive);
  database.answers = false;
  await expect.poll(last).toEqual({ kind: 'degraded', degraded: 'DATABASE_UNAVAILABLE' });
  database.answers = true;
  await expect.poll(last).toEqual(isLive);
});

it('a lost session is opened again, and what it may have missed is read again', async () => {
  const database = new FakeDatabase();
  const { messages, last } = await start(database);
  await expect.poll(last).toEqual(isLive);
  const before = messages.length;
  database.lose();
  await expect.poll(() => database.sessions, { timeout: 5_000 }).toBe(2);
  await expect.poll(last).toEqual(isLive);
  expect(messages[before]).toMatchObject({ kind: 'degraded' });
});

it('where notifications do not arrive (a pooler), the readers read everything every few seconds', async () => {
  const database = new FakeDatabase();
  const { messages, last } = await start(database);
  await expect.poll(last).toEqual(isLive);
  database.delivers = false;
  await expect.poll(last).toEqual({ kind: 'reset', degraded: 'NOTIFICATIONS_MISSING' });
  const resets = () => messages.filter(({ kind }) => kind === 'reset').length;
  const before = resets();
  await expect.poll(resets).toBeGreaterThan(before + 3);
  expect(messages.filter(({ kind }) => kind === 'degraded').length).toBe(2);
  database.delivers = true;
  await expect.poll(last, { timeout: 5_000 }).toEqual(isLive);
});

it('changes of one subject within a moment are one; an empty payload is a gap', async () => {
  const database = new FakeDatabase();
  const { messages, last } = await start(database);
  await expect.poll(last).toEqual(isLive);
  const before = messages.length;
  database.deliver('["reservation",1,["L03"]]');
  database.deliver('["reservation",1,["L03","L41"]]');
  database.deliver('["hold","h-1",["active"]]');
  await expect
    .poll(() => messages.slice(before).map((one) => (one.kind === 'change' ? one.change : one.kind)))
    .toEqual([
      { event: 'reservation', id: 1, codes: ['L03', 'L41'] },
      { event: 'hold', id: 'h-1', codes: ['active'] },
    ]);
  database.deliver('');
  expect(last()).toEqual(isLive);
});

it('while changes follow each other, readers get the first at once and the others together', async () => {
  vi.useFakeTimers();
  const database = new FakeDatabase();
  const { messages } = await start(database, 200);
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const changed = () => messages.flatMap((one) => (one.kind === 'change' ? [one.change.id] : []));
  await pass(20);
  database.deliver('["reservation",1,["L03"]]');
  await pass(1);
  expect(changed()).toEqual([1]);
  for (const id of [2, 3, 4]) {
    database.deliver(`["reservation",${id},["L03"]]`);
    await pass(50);
  }
  expect(changed()).toEqual([1]);
  await pass(50);
  expect(changed()).toEqual([1, 2, 3, 4]);
});

it.each([
  '{',
  'null',
  '{"event":"reservation"}',
  '"reservation"',
  '[]',
  '["reservation",1]',
  '["reservation",1,"L03"]',
  '["reservation",1,[null]]',
  '["reservation",{},[]]',
  '["of a later release",1,[]]',
])('a payload of another form is a gap, and ends nothing: %s', async (payload) => {
  const database = new FakeDatabase();
  const { messages, last } = await start(database);
  await expect.poll(last).toEqual(isLive);
  const before = messages.length;
  database.deliver(payload);
  expect(messages.slice(before)).toMatchObject([isLive]);
});
