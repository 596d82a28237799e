import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeIndexedDb } from '../../support/indexed-db.js';
import { loadModules, stubPage } from '../../support/page.js';

const kim = { name: 'kim', role: 'staff' };
const lee = { name: 'lee', role: 'manager' };

/** What the service knows of the browser's cookie. */
let user: typeof kim | null;
let sent: string[];
let database: FakeIndexedDb;
let reloads: number;
let isOffline: boolean;
let storage: Map<string, string>;
let listeners: Map<string, () => void>;

class Channel {
  static all: Channel[] = [];
  onmessage = (_: { data: unknown }) => {};
  constructor(readonly name: string) {
    Channel.all.push(this);
  }
  postMessage(data: unknown): void {
    for (const other of Channel.all)
      if (other !== this && other.name === this.name) other.onmessage({ data });
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  [user, sent, database, reloads, Channel.all] = [null, [], new FakeIndexedDb(), 0, []];
  [isOffline, storage, listeners] = [false, new Map(), new Map()];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function openPage(hash = '') {
  const location = { pathname: '/go', search: '', hash, reload: () => reloads++ };
  const history = {
    replaceState: (_: unknown, __: string, to: string) => {
      [location.pathname = '', location.hash = ''] = to.split(/(?=#)/);
    },
  };
  const ofApi = { 'handover-api': '1' };
  const fetched = async (path: string, { method }: { method: string }) => {
    if (isOffline) throw new TypeError('fetch failed');
    sent.push(`${method} ${path}`);
    if (path === '/api/session' && method === 'POST') user = lee;
    if (path === '/api/session' && method === 'DELETE') user = null;
    if (method === 'DELETE') return new Response(null, { status: 204, headers: ofApi });
    return user === null
      ? new Response('{}', { status: 401, headers: ofApi })
      : new Response(JSON.stringify(user), { headers: ofApi });
  };
  stubPage({
    location,
    history,
    fetch: fetched,
    BroadcastChannel: Channel,
    indexedDB: database,
    addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
    localStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
    },
  });
  const [session, jobs, queue] = await loadModules(
    'console/state/session.ts',
    'console/screens/go/jobs.ts',
    'console/offline/queue.ts',
  );
  return { location, session, jobs, queue };
}
const resolved = () => vi.waitFor(() => expect(reloads).toBe(1));

describe('a link with a token', () => {
  it('logs in where the browser has no login, and the token leaves the address', async () => {
    const { session, location } = await openPage('#login=a%3Db');
    await session.startSession();
    expect([session.me(), sent, location.hash]).toEqual([lee, ['GET /api/me', 'POST /api/session'], '']);
  });

  it.each(['#login=token', '#login=%', '#login=', '#login=a=b'])(
    'takes the place of no login, and leaves the address: %s',
    async (hash) => {
      user = kim;
      const { session, location } = await openPage(hash);
      await session.startSession();
      expect([session.me(), sent, location.hash]).toEqual([kim, ['GET /api/me'], '']);
    },
  );
});

describe('another login', () => {
  it('of the same user continues, and of another reloads the page', async () => {
    user = kim;
    const { session } = await openPage();
    await session.startSession();
    session.isExpired.value = true;
    await session.resumeSession();
    expect([session.isExpired.value, reloads]).toEqual([false, 0]);
    await session.logIn('token of lee');
    expect([session.me(), reloads]).toEqual([kim, 1]);
  });

  it('with another role reloads the page', async () => {
    user = kim;
    const { session } = await openPage();
    await session.startSession();
    user = { ...kim, role: 'manager' };
    await session.resumeSession();
    expect(reloads).toBe(1);
  });

  it('in one page is followed by the others of the browser', async () => {
    user = kim;
    const first = await openPage();
    await first.session.startSession();
    const second = await openPage();
    await second.session.startSession();
    await second.session.logIn('token of lee');
    await vi.waitFor(() => expect(reloads).toBe(2));
  });

  it('shows nothing of the jobs that the user before has left on the phone', async () => {
    const job = { reservationId: 8421, dueAt: null };
    const leftBy = (before: typeof kim) => {
      database.stores.user?.set('me', before).set('jobsAsOf', 7);
      database.stores.jobs?.set(8421, job);
    };
    for (const [before, jobs] of [
      [kim, [job]],
      [lee, []],
      [{ ...kim, role: 'viewer' }, []],
    ] as const) {
      user = kim;
      leftBy(before);
      const page = await openPage();
      await page.session.startSession();
      await page.jobs.readStoredJobs();
      expect([page.jobs.jobs.value, page.jobs.jobsAsOf.value]).toEqual([jobs, jobs.length === 0 ? null : 7]);
      expect([...(database.stores.jobs?.values() ?? [])]).toEqual(jobs);
      expect(database.stores.user?.get('me')).toEqual(kim);
    }
  });
});

describe('a logout', () => {
  it('deletes what the phone stores, which stores nothing after it, and other pages follow', async () => {
    user = kim;
    const [first, second] = [await openPage(), await openPage()];
    await first.session.startSession();
    await second.session.startSession();
    await second.jobs.readStoredJobs();
    expect(database.stores.user?.size).toBe(1);
    await first.session.logOut();
    await vi.waitFor(() => expect(reloads).toBe(2));
    expect([second.location.pathname, second.location.hash]).toEqual(['/go', '']);
    second.jobs.jobs.value = null;
    await second.jobs.readStoredJobs();
    for (const store of Object.values(database.stores)) expect(store.size).toBe(0);
  });

  it('that a suspended page learns of late ends no later login, and deletes nothing of it', async () => {
    user = kim;
    const [first, second] = [await openPage(), await openPage()];
    await first.session.startSession();
    await second.session.startSession();
    const late = Channel.all.filter(({ name }) => name === 'handover.session')[1];
    Channel.all = Channel.all.filter((channel) => channel !== late);
    await first.session.logOut();
    await resolved();
    const third = await openPage('#login=token');
    await third.session.startSession();
    database.stores.entries?.set(1, { order: 1, reservationId: 8421, by: 'lee', state: 'waiting' });
    sent = [];
    late?.onmessage({ data: null });
    await vi.waitFor(() => expect(reloads).toBe(2));
    expect([database.stores.entries?.size, sent, user]).toEqual([1, [], lee]);
  });

  it('that deletes nothing says so on the page of the login', async () => {
    user = kim;
    const page = await openPage();
    await page.session.startSession();
    await page.jobs.readStoredJobs();
    database.isFailing = true;
    database.closeConnections();
    await page.session.logOut();
    await resolved();
    expect(page.location.hash).toBe('#login-failed=stored');
    user = null;
    const next = await openPage('#login-failed=stored');
    await next.session.startSession();
    expect([next.session.session.value.is, next.session.loginFailure.value]).toEqual(['out', 'stored']);
  });
});

describe('a logout without a connection', () => {
  const logOutOffline = async () => {
    user = kim;
    const page = await openPage();
    await page.session.startSession();
    [isOffline, sent] = [true, []];
    await page.session.logOut();
    return page;
  };

  it('leaves no user in the page, and ends the login once there is a connection', async () => {
    const { session } = await logOutOffline();
    expect([session.session.value.is, reloads, user]).toEqual(['out', 0, kim]);
    for (const store of Object.values(database.stores)) expect(store.size).toBe(0);
    isOffline = false;
    await expect(session.resumeSession()).rejects.toMatchObject({ status: 401 });
    expect([sent, user]).toEqual([[], kim]);
    listeners.get('online')?.();
    await resolved();
    expect([sent, user]).toEqual([['DELETE /api/session'], null]);
  });

  it('is tried again by itself', async () => {
    await logOutOffline();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([reloads, user]).toEqual([0, kim]);
    isOffline = false;
    await vi.advanceTimersByTimeAsync(60_000);
    await resolved();
    expect(user).toBeNull();
  });

  it('is known after a reload: the page reads nothing before the login has ended, also by a link with a token', async () => {
    await logOutOffline();
    const next = await openPage('#login=token');
    await next.session.startSession();
    expect([next.session.session.value.is, next.location.hash, user]).toEqual(['out', '', kim]);
    isOffline = false;
    const last = await openPage('#login=token');
    await last.session.startSession();
    expect(sent).toEqual(['DELETE /api/session', 'GET /api/me', 'POST /api/session']);
    expect(last.session.me()).toEqual(lee);
  });

  it('is not sent by a page that learns late that another has ended it', async () => {
    await logOutOffline();
    storage.set('handover.log-out', '');
    [isOffline, user] = [false, lee];
    await vi.advanceTimersByTimeAsync(60_000);
    await resolved();
    expect([sent, user]).toEqual([[], lee]);
  });

  it('that one page ends is over for the others, which are loaded again', async () => {
    await logOutOffline();
    const other = await openPage();
    await other.session.startSession();
    expect(other.session.session.value.is).toBe('out');
    storage.clear();
    listeners.get('storage')?.();
    expect(reloads).toBe(1);
  });
});

describe('when the browser closes the connection to its stores', () => {
  it('they are opened again; meanwhile what was read last stays, and a logout warns', async () => {
    database.stores.entries?.set(1, { order: 1, reservationId: 8421, by: 'kim', state: 'rejected' });
    const { queue, session } = await openPage();
    await queue.startQueue();
    expect(queue.entries.value).toHaveLength(1);
    const refresh = () =>
      Channel.all.find(({ name }) => name === 'handover.queue')?.onmessage({ data: 'changed' });
    database.isFailing = true;
    database.closeConnections();
    refresh();
    await vi.waitFor(() => expect(queue.isUnreadable.value).toBe(true));
    expect(queue.entries.value).toHaveLength(1);
    database.stores.entries?.clear();
    await session.logOut();
    expect([queue.isLogOutWarned.value, reloads]).toEqual([true, 0]);
    database.isFailing = false;
    refresh();
    await vi.waitFor(() => expect(queue.isUnreadable.value).toBe(false));
    expect(queue.entries.value).toEqual([]);
  });
});
