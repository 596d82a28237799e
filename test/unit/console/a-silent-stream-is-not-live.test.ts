import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadModules, stubPage } from '../../support/page.js';

/** What a page's stream got; `open` of them take a connection of the browser. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 0;
  onopen = () => {};
  constructor() {
    super();
    Source.all.push(this);
  }
  close(): void {
    this.readyState = Source.CLOSED;
  }
  get(event: string): void {
    this.dispatchEvent(Object.assign(new Event(event), { data: '{"id":null,"codes":[]}' }));
  }
}
const open = () => Source.all.filter(({ readyState }) => readyState !== Source.CLOSED);

/** Messages arrive at once. */
class Channel {
  static all: Channel[] = [];
  onmessage = (_: { data: unknown }) => {};
  constructor() {
    Channel.all.push(this);
  }
  postMessage(data: unknown): void {
    for (const other of Channel.all) if (other !== this) other.onmessage({ data });
  }
}

let isLocked = false;
const locks = {
  request: async (_: string, run: () => unknown) => {
    if (isLocked) return;
    isLocked = true;
    await run();
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  Source.all = [];
  Channel.all = [];
  isLocked = false;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page of the browser with its own modules. */
async function openPage(navigator: object = { language: 'en', locks }) {
  stubPage({ EventSource: Source, BroadcastChannel: Channel, navigator });
  const [{ startStream }, { connection, onChange }] = await loadModules(
    'console/live/stream.ts',
    'console/live/changes.ts',
  );
  const page = { resets: 0, is: () => connection.value };
  onChange(({ event }: { event: string }) => {
    if (event === 'reset') page.resets++;
  });
  startStream();
  return page;
}

describe('a stream on which nothing arrives', () => {
  it('is connected again after 40 s, and is not live meanwhile', async () => {
    const page = await openPage();
    open()[0]?.onopen();
    for (let beats = 0; beats < 8; beats++) {
      vi.advanceTimersByTime(15_000);
      open()[0]?.get('beat');
    }
    expect([page.is(), page.resets, Source.all.length]).toEqual(['live', 1, 1]);
    vi.advanceTimersByTime(40_000);
    expect([page.is(), open().length, Source.all.length]).toEqual(['offline', 1, 2]);
    // not even a connection
    vi.advanceTimersByTime(40_000);
    expect([page.is(), open().length, Source.all.length]).toEqual(['offline', 1, 3]);
    open()[0]?.onopen();
    expect([page.is(), page.resets]).toEqual(['live', 2]);
  });

  it('leaves the other pages of the browser polling, also where the page that has it is frozen', async () => {
    const leader = await openPage();
    open()[0]?.onopen();
    const follower = await openPage();
    expect([follower.is(), open().length]).toEqual(['live', 1]);
    for (let beats = 0; beats < 8; beats++) {
      vi.advanceTimersByTime(15_000);
      open()[0]?.get('beat');
    }
    expect([leader.is(), follower.is()]).toEqual(['live', 'live']);
    const [channel] = Channel.all;
    if (channel === undefined) throw new Error('no channel');
    channel.postMessage = () => {};
    vi.advanceTimersByTime(40_000);
    expect(follower.is()).toBe('offline');
    Reflect.deleteProperty(channel, 'postMessage');
    open()[0]?.onopen();
    open()[0]?.get('beat');
    expect(follower.is()).toBe('live');
  });
});

it('without locks a page has a connection only while it is visible', async () => {
  const page = await openPage({ language: 'en' });
  open()[0]?.onopen();
  const { document } = globalThis as never as { document: EventTarget & { visibilityState: string } };
  const show = (visibilityState: string) => {
    Object.assign(document, { visibilityState }).dispatchEvent(new Event('visibilitychange'));
  };
  show('hidden');
  expect(open()).toEqual([]);
  vi.advanceTimersByTime(120_000);
  expect(open()).toEqual([]);
  show('visible');
  open()[0]?.onopen();
  expect([page.is(), page.resets, open().length]).toEqual(['live', 2, 1]);
});
