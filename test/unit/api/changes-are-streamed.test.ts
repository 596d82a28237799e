import { afterEach, describe, expect, it } from 'vitest';
import { EventStream } from '../../../src/api/changes/stream.js';
import { startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
const opened: AbortController[] = [];
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.abort();
  await api.close();
});

/** Opens a stream; `text` is what it has sent so far. */
async function open(headers: Record<string, string> = { authorization: 'Bearer viewer-token' }) {
  const stop = new AbortController();
  opened.push(stop);
  const response = await fetch(`${api.url}/api/changes`, { headers, signal: stop.signal });
  const stream = { response, text: '', isEnded: false, stop };
  const read = async () => {
    for await (const chunk of response.body ?? []) stream.text += Buffer.from(chunk).toString();
  };
  void read()
    .catch(() => {})
    .then(() => {
      stream.isEnded = true;
    });
  return stream;
}
const beat = 'event: beat\ndata: {"id":null,"codes":[]}\n\n';
const changed = {
  kind: 'change',
  id: 'e-7',
  change: { event: 'reservation', id: 8421, codes: ['L03'] },
} as const;

it('each change is one event with ids and codes, which no proxy holds back', async () => {
  api = await startApi();
  const stream = await open();
  expect(stream.response.status).toBe(200);
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    'cache-control': 'no-store',
  });
  await expect.poll(() => stream.text).toBe('retry: 2000\n\nid: e-0\n\n');
  for (const pass of api.parts.changeReaders) {
    pass(changed);
    pass({ kind: 'degraded', degraded: 'DATABASE_UNAVAILABLE' });
    pass({ kind: 'reset', id: 'f-0', degraded: null });
  }
  await expect
    .poll(() => stream.text.split('\n\n').slice(2, -1))
    .toEqual([
      'id: e-7\nevent: reservation\ndata: {"id":8421,"codes":["L03"]}',
      'event: degraded\ndata: {"id":null,"codes":["DATABASE_UNAVAILABLE"]}',
      'id: f-0\nevent: reset\ndata: {"id":null,"codes":[]}',
    ]);
});

it('a reader that comes again states where it was; one that leaves is forgotten', async () => {
  api = await startApi();
  const stream = await open({ authorization: 'Bearer viewer-token', 'last-event-id': 'e-5' });
  await expect.poll(() => stream.text).toContain('id: e-5\n\n');
  expect(api.parts.changeReaders.size).toBe(1);
  stream.stop.abort();
  await expect.poll(() => api.parts.changeReaders.size).toBe(0);
});

it('a beat, as an event that a page sees, follows in time, and with the login the stream ends', async () => {
  let now = Date.UTC(2026, 10, 21);
  api = await startApi({ clock: () => now, limits: { heartbeatMs: 30 } });
  const login = await api.ask('/api/session', { method: 'POST', json: { token: 'viewer-token' } });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const stream = await open({ cookie });
  await expect.poll(() => stream.text).toContain(beat + beat);
  now += 13 * 60 * 60_000;
  await expect.poll(() => stream.isEnded).toBe(true);
  expect(stream.text.endsWith('event: ended\ndata: {"id":null,"codes":["SESSION_ENDED"]}\n\n')).toBe(true);
  expect(api.parts.changeReaders.size).toBe(0);
  expect((await open({ cookie })).response.status).toBe(401);
});

it('streams have a limit of their own, and take no connection from others', async () => {
  api = await startApi({ limits: { streams: 2, connections: 3, connectionsEach: 3 } });
  const streams = [await open(), await open()];
  const refused = await api.ask('/api/changes', { as: 'viewer' });
  expect({
    status: refused.status,
    code: refused.body.code,
    after: refused.headers.get('retry-after'),
  }).toEqual({
    status: 503,
    code: 'TOO_MANY_STREAMS',
    after: '10',
  });
  const others = await Promise.all([1, 2, 3].map(() => api.ask('/api/alerts', { as: 'viewer' })));
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const pass of api.parts.changeReaders) pass(changed);
  for (const stream of streams) await expect.poll(() => stream.text).toContain('event: reservation');
  streams[0]?.stop.abort();
  await expect.poll(() => api.parts.changeReaders.size).toBe(1);
  await expect.poll(async () => (await open()).response.status).toBe(200);
});

it('a server that stops ends its streams at once', async () => {
  // longer than a test may take
  api = await startApi({ limits: { stopWithinMs: 600_000 } });
  const stream = await open();
  await api.close();
  await expect.poll(() => stream.isEnded).toBe(true);
});

describe('a reader that takes nothing', () => {
  it('is cut off before much is stored for it', async () => {
    api = await startApi();
    const stream = new EventStream();
    for (let count = 0; count < 10_000 && !stream.destroyed; count++) stream.pass(changed);
    expect(stream.destroyed).toBe(true);
    expect(stream.readableLength).toBeLessThan(300 * 1024);
    stream.pass(changed);
    stream.beat();
    stream.finish();
  });
});

it('HEAD is no stream', async () => {
  api = await startApi();
  const response = await fetch(`${api.url}/api/changes`, { method: 'HEAD' });
  expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
    status: 405,
    allow: 'GET',
  });
});
