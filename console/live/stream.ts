import { onExpired } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import { parsed } from '../api/parsed.js';
import { retryWaitMs } from '../state/retry-wait.js';
import { type Change, type Connection, connection, report } from './changes.js';

/**
 * One `EventSource` per browser: the page that has the lock connects, and passes what arrives to the others. Without locks
 * (a page over plain HTTP on another host) each page has its own while it is visible: a browser opens six connections to a host.
 */
type Message = { change: Change } | { connection: Connection } | 'hello';

/** Each event that reports a change: one that the service adds is an error here. */
const events: Record<Change['event'], true> = {
  reservation: true,
  alert: true,
  finding: true,
  callback: true,
  claim: true,
  booking: true,
  hold: true,
  reset: true,
};
/** The wait before another connection doubles from the first to the last. */
const retryWaits = { firstMs: 1_000, longestMs: 30_000 };
/** The service sends a beat each 15 s. */
const silentAfterMs = 40_000;

const channel = new BroadcastChannel('handover.changes');
let isLeader = false;
let isStarted = false;
/** Connections that failed in a row. */
let failures = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let silence: ReturnType<typeof setTimeout> | undefined;
let source: EventSource | null = null;

export function startStream(): void {
  if (isStarted) return;
  isStarted = true;
  channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data);
  if (navigator.locks === undefined) {
    document.addEventListener('visibilitychange', leadWhileVisible);
    leadWhileVisible();
    return;
  }
  channel.postMessage('hello');
  awaitMore();
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
  failures = 0;
  connect();
}

/** After a logout, for as long as this page is open. */
export function stopStream(): void {
  channel.onmessage = null;
  close();
}

function receive(message: Message): void {
  if (message === 'hello') {
    if (isLeader) channel.postMessage({ connection: connection.value });
    return;
  }
  if (!isLeader) awaitMore();
  if ('change' in message) report(message.change);
  else if (!isLeader) setConnection(message.connection);
}

function leadWhileVisible(): void {
  if (document.visibilityState === 'visible') lead();
  else {
    isLeader = false;
    close();
  }
}

function lead(): void {
  isLeader = true;
  // what changed between two connections is read again
  connection.value = 'connecting';
  connect();
}

function close(): void {
  source?.close();
  clearTimeout(retry);
  clearTimeout(silence);
}

function connect(): void {
  close();
  awaitMore();
  source = new EventSource(endpoints.changes.path);
  source.onopen = () => {
    awaitMore();
    failures = 0;
    share('live');
  };
  source.onerror = () => {
    const isClosed = source?.readyState === EventSource.CLOSED;
    share(isClosed ? 'offline' : 'connecting');
    // the browser reconnects by itself after a lost connection, never after a refusal
    if (!isClosed) return;
    failures++;
    retry = setTimeout(connect, retryWaitMs(failures, retryWaits));
  };
  source.addEventListener('beat', () => {
    awaitMore();
    share(connection.value);
  });
  // the stream is open, and the service does not receive changes itself
  source.addEventListener('degraded', () => share('offline'));
  source.addEventListener('ended', () => onExpired.run());
  for (const event of Object.keys(events) as Change['event'][]) {
    source.addEventListener(event, ({ data }: MessageEvent<string>) => {
      awaitMore();
      const change = { id: null, codes: [], ...(parsed(data) as Partial<Change>), event };
      if (event === 'reset' && change.codes.length === 0) share('live');
      channel.postMessage({ change });
      report(change);
    });
  }
}

/** A network may end without a trace: where nothing arrives for long, the page polls, and the leader connects again. */
function awaitMore(): void {
  clearTimeout(silence);
  silence = setTimeout(() => {
    if (!isLeader) return setConnection('offline');
    share('offline');
    connect();
  }, silentAfterMs);
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
