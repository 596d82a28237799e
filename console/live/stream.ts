import { onExpired } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import { type Change, type Connection, connection, report } from './changes.js';

/**
 * One `EventSource` per browser: the page that has the lock connects, and passes what arrives to the others. Without locks
 * (a page over plain HTTP on another host) each page has its own.
 */
type Message = { change: Change } | { connection: Connection } | 'hello';

const events: readonly Change['event'][] = [
  'reservation',
  'alert',
  'finding',
  'callback',
  'claim',
  'booking',
  'hold',
  'reset',
];
/** The wait before another connection doubles from the first to the last. */
const retryMs = { first: 1_000, last: 30_000 };

const channel = new BroadcastChannel('handover.changes');
let isLeader = false;
let isStarted = false;
let retryAfter = retryMs.first;
let retry: ReturnType<typeof setTimeout> | undefined;
let source: EventSource | null = null;

export function startStream(): void {
  if (isStarted) return;
  isStarted = true;
  channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data);
  if (navigator.locks === undefined) {
    lead();
    return;
  }
  channel.postMessage('hello');
  // the lock is released when the page is closed, and another page continues
  void navigator.locks.request('handover.changes', () => {
    lead();
    return new Promise(() => {});
  });
}

/** After a login: connects at once, and what was refused meanwhile is read again. */
export function connectAgain(): void {
  report({ event: 'reset', id: null, codes: [] });
  if (!isLeader) return;
  clearTimeout(retry);
  retryAfter = retryMs.first;
  connect();
}

function receive(message: Message): void {
  if (message === 'hello') {
    if (isLeader) channel.postMessage({ connection: connection.value });
  } else if ('connection' in message) {
    if (!isLeader) setConnection(message.connection);
  } else report(message.change);
}

function lead(): void {
  isLeader = true;
  connect();
}

function connect(): void {
  source?.close();
  source = new EventSource(endpoints.changes.path);
  source.onopen = () => {
    retryAfter = retryMs.first;
    share('live');
  };
  source.onerror = () => {
    const isClosed = source?.readyState === EventSource.CLOSED;
    share(isClosed ? 'offline' : 'connecting');
    // the browser reconnects by itself after a lost connection, never after a refusal
    if (!isClosed) return;
    retry = setTimeout(connect, retryAfter * (0.75 + Math.random() / 2));
    retryAfter = Math.min(retryAfter * 2, retryMs.last);
  };
  // the stream is open, and the service does not receive changes itself
  source.addEventListener('degraded', () => share('offline'));
  source.addEventListener('ended', () => onExpired.run());
  for (const event of events) {
    source.addEventListener(event, ({ data }: MessageEvent<string>) => {
      const change = { id: null, codes: [], ...parsed(data), event };
      if (event === 'reset' && change.codes.length === 0) share('live');
      channel.postMessage({ change });
      report(change);
    });
  }
}

function share(state: Connection): void {
  channel.postMessage({ connection: state });
  setConnection(state);
}

/** After a gap anything may have changed. */
function setConnection(state: Connection): void {
  const wasDown = connection.value !== 'live';
  connection.value = state;
  if (state === 'live' && wasDown) report({ event: 'reset', id: null, codes: [] });
}

function parsed(data: string): Partial<Change> {
  try {
    return JSON.parse(data) as Partial<Change>;
  } catch {
    return {};
  }
}
