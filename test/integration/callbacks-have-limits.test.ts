import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { longestCallbackSecret } from '../../src/api/http/limits.js';
import { TrustedSenders } from '../../src/api/http/trusted-senders.js';
import { callbackSecretsProblem } from '../../src/app/config/variables.js';
import { createMetrics } from '../../src/app/metrics/process.js';
import { type ReceiverOptions, receiver } from '../../src/inbox/receive/receiver.js';
import { createReceiverMetrics } from '../../src/inbox/receive/receiver-metrics.js';
import type { Arrival } from '../../src/store/callbacks/types.js';
import { startApi, type TestApi } from '../support/api.js';
import {
  aReservation,
  callbackSecret,
  pathOf,
  reservationBody,
  signedHeaders,
  statusBody,
  wire,
} from '../support/callbacks.js';
import { eventually } from '../support/eventually.js';
import { contentHashes } from '../support/intake.js';
import { answerIn, rawConnection } from '../support/raw-http.js';

let api: TestApi;
let metrics = createMetrics();
const stored: Arrival[] = [];
afterEach(async () => {
  stored.length = 0;
  await api.close();
});

type Limits = Parameters<typeof startApi>[0];
async function start(
  receiverOptions: Partial<ReceiverOptions> = {},
  limits: NonNullable<Limits>['limits'] = {},
) {
  metrics = createMetrics();
  const inbox = { store: async (arrival: Arrival) => void stored.push(arrival), isFull: () => false };
  api = await startApi({
    metrics,
    limits: { checkEveryMs: 20, ...limits },
    intake: (app) =>
      receiver(app, {
        wire,
        contentHashes,
        inbox,
        metrics: createReceiverMetrics(metrics.registry, Object.keys(wire.paths)),
        authentication: { auth: 'standard-webhooks', secrets: [callbackSecret] },
        ...receiverOptions,
      }),
  });
  return api.url;
}
const path = pathOf('status');
const body = statusBody(8421, 10);
const head = (headers: Record<string, string | number>) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');
const whole = (text = body) =>
  head({ ...signedHeaders(text), 'content-length': Buffer.byteLength(text) }) + text;
const served = async () => {
  const next = await rawConnection(api.url);
  next.write(whole().replace('host: x', 'host: x\r\nconnection: close'));
  expect(answerIn(await next.closed()).status).toBe(204);
};

it('headers that arrive too slowly, or not at all: 408, and the connection is closed', async () => {
  const url = await start({}, { headersWithinMs: 150 });
  const slow = await rawConnection(url);
  slow.write(`POST ${path} HTTP/1.1\r\n`);
  const drip = setInterval(() => slow.write('x-drip: 1\r\n'), 20);
  const silent = await rawConnection(url);
  expect(answerIn(await slow.closed())).toMatchObject({ status: 408, body: { code: 'REQUEST_TOO_SLOW' } });
  clearInterval(drip);
  await silent.closed();
  expect(stored).toEqual([]);
  await served();
});

it('a body that arrives too slowly: 408, however steadily it arrives, and none of it is stored', async () => {
  const url = await start({ limits: { bodyWithinMs: 150 } });
  const slow = await rawConnection(url);
  slow.write(head({ ...signedHeaders(body), 'content-length': 10_000 }));
  const drip = setInterval(() => slow.write(' '), 20);
  expect(answerIn(await slow.closed())).toMatchObject({ status: 408, body: { code: 'REQUEST_TOO_SLOW' } });
  clearInterval(drip);
  expect(stored).toEqual([]);
  await served();
});

it('huge headers: 431, and an address that is no HTTP: 400, both as problem documents', async () => {
  const url = await start();
  const huge = await rawConnection(url);
  huge.write(`POST ${path} HTTP/1.1\r\nx-huge: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(answerIn(await huge.closed())).toMatchObject({ status: 431, body: { code: 'HEADERS_TOO_LARGE' } });
  const none = await rawConnection(url);
  none.write('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03');
  expect(answerIn(await none.closed())).toMatchObject({ status: 400, body: { code: 'NOT_HTTP' } });
  await served();
});

it('a chunked body is stored whole, whatever its chunks; a broken or endless one is refused', async () => {
  const url = await start({}, {});
  const chunks = (...parts: string[]) =>
    parts.map((part) => `${Buffer.byteLength(part).toString(16)};ext=1\r\n${part}\r\n`).join('');
  const headers = { 'transfer-encoding': 'chunked', connection: 'close' };
  const good = await rawConnection(url);
  good.write(`${head({ ...signedHeaders(body), ...headers })}${chunks(...body)}0\r\n\r\n`);
  expect(answerIn(await good.closed()).status).toBe(204);
  expect(stored.map(({ raw }) => raw.toString())).toEqual([body]);

  const broken = await rawConnection(url);
  broken.write(`${head({ ...signedHeaders(body), ...headers })}zz\r\n${body}\r\n0\r\n\r\n`);
  expect(answerIn(await broken.closed()).status).toBe(400);

  const endless = await rawConnection(url);
  endless.write(head({ ...signedHeaders(body), ...headers }));
  const more = setInterval(() => endless.write(chunks('x'.repeat(50_000))), 1);
  expect(answerIn(await endless.closed())).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
  clearInterval(more);
  expect(stored).toHaveLength(1);
});

it('a request with two lengths of its body is refused, so that no two servers read it differently', async () => {
  const url = await start();
  const both = await rawConnection(url);
  both.write(
    `${head({ ...signedHeaders(body), 'content-length': 5, 'transfer-encoding': 'chunked' })}0\r\n\r\n`,
  );
  expect(answerIn(await both.closed()).status).toBe(400);
  expect(stored).toEqual([]);
});

it('a sender that expects 100-continue, one that pipelines requests, and one that closes its side after the last request are served', async () => {
  const url = await start();
  const asking = await rawConnection(url);
  asking.write(
    head({
      ...signedHeaders(body),
      'content-length': body.length,
      expect: '100-continue',
      connection: 'close',
    }),
  );
  await eventually('it may continue', () => asking.received.startsWith('HTTP/1.1 100'));
  asking.write(body);
  expect(await asking.closed()).toContain('HTTP/1.1 204');

  const texts = [10, 15, 20].map((status) => statusBody(8421, status));
  const several = await rawConnection(url);
  several.write(texts.map((text) => whole(text)).join(''));
  await eventually('all are answered', () => several.received.match(/HTTP\/1\.1 204/g)?.length === 3);
  several.socket.destroy();
  expect(stored.slice(1).map(({ raw }) => raw.toString())).toEqual(texts);

  const half = await rawConnection(url, { allowHalfOpen: true });
  half.socket.end(whole());
  await eventually('it is answered', () => half.received.startsWith('HTTP/1.1 204'));
  half.socket.destroy();
  expect(stored).toHaveLength(5);
});

it('a sender that closes its side after the request gets its answer when the event is stored', async () => {
  const url = await start({ inbox: { store: () => sleep(100), isFull: () => false } });
  const half = await rawConnection(url, { allowHalfOpen: true });
  half.socket.end(whole());
  const answered = eventually('it is answered', () => half.received !== '');
  await Promise.race([answered, half.closed()]);
  half.socket.destroy();
  expect(answerIn(half.received).status).toBe(204);
});

it('a sender that vanishes in the middle of its body leaves nothing', async () => {
  const url = await start();
  for (let i = 0; i < 20; i++) {
    const gone = await rawConnection(url);
    gone.write(`${head({ ...signedHeaders(body), 'content-length': 1_000 })}{"half":`);
    await sleep(2);
    gone.socket.destroy();
  }
  await served();
  expect(stored).toHaveLength(1);
});

it('where too many connections are open the receiver closes and counts the one that is idle longest', async () => {
  const url = await start({}, { connections: 3 });
  const [first, ...others] = [await rawConnection(url), await rawConnection(url), await rawConnection(url)];
  const further = await rawConnection(url);
  expect(await first?.closed()).toBe('');
  for (const connection of [...others, further]) {
    connection.write(whole());
    await eventually('it is served', () => connection.received.startsWith('HTTP/1.1 204'));
    connection.socket.destroy();
  }
  expect(await metrics.registry.metrics()).toMatch(/handover_http_refused_connections_total 1\n/);
});

it('the receiver soon closes the connection of a sender that it refused before the body was complete', async () => {
  const url = await start({ limits: { restWithinMs: 100, bodyWithinMs: 100, bytesTogether: 1_000 } });
  const refused = {
    BODY_TOO_LARGE: head({ ...signedHeaders(body), 'content-length': 300_000 }),
    REQUEST_TOO_SLOW: head({ ...signedHeaders(body), 'content-length': body.length }) + body.slice(1),
    INTAKE_OVERLOADED: head({ ...signedHeaders(body), 'content-length': 250_000 }) + body.padEnd(10_000),
  };
  for (const [code, sent] of Object.entries(refused)) {
    const connection = await rawConnection(url);
    connection.write(sent);
    // it sends nothing more and does not close: without a bound this would last for the time of a whole request
    expect(answerIn(await connection.closed())).toMatchObject({ body: { code } });
  }
  expect(stored).toEqual([]);
});

it('the longest secret that the configuration accepts opens its path', async () => {
  const secret = 'x'.repeat(longestCallbackSecret);
  expect(callbackSecretsProblem('secret-path', [secret])).toBeUndefined();
  await start({ authentication: { auth: 'secret-path', secrets: [secret] } });
  expect(await api.ask(`/${secret}${path}`, { method: 'POST', body })).toMatchObject({ status: 204 });
  const wrong = `y${secret.slice(1)}`;
  expect(await api.ask(`/${wrong}${path}`, { method: 'POST', body })).toMatchObject({ status: 401 });
});

it('bodies of unknown senders share a bound: beyond it the largest is answered 503 at once, and the others continue', async () => {
  const url = await start({ limits: { bytesTogether: 400_000, bodyWithinMs: 60_000, paceMs: 60_000 } });
  const large = await rawConnection(url);
  large.write(head({ ...signedHeaders(body), 'content-length': 60_000 }) + ' '.repeat(40_000));
  const padded = body.padEnd(20_000);
  const slow = await rawConnection(url);
  const headers = { ...signedHeaders(padded), 'content-length': padded.length, connection: 'close' };
  slow.write(head(headers) + padded.slice(0, -1));
  expect(answerIn(await large.closed())).toMatchObject({ status: 503, body: { code: 'INTAKE_OVERLOADED' } });
  slow.write(padded.slice(-1));
  expect(answerIn(await slow.closed()).status).toBe(204);
  // what it proved now raises its bound
  const proven = body.padEnd(200_000);
  const next = await rawConnection(url);
  next.write(
    head({ ...signedHeaders(proven), 'content-length': proven.length, connection: 'close' }) + proven,
  );
  expect(answerIn(await next.closed()).status).toBe(204);
});

it('while the queue is full the answer is 503 with Retry-After at once, before the body is read', async () => {
  const url = await start({ inbox: { store: async () => {}, isFull: () => true } });
  const refused = await rawConnection(url);
  refused.write(head({ ...signedHeaders(body), 'content-length': body.length }));
  const { status, headers } = await eventually('it is answered', () => {
    const answer = answerIn(refused.received);
    return answer.status !== 0 && answer;
  });
  expect(status).toBe(503);
  expect(headers).toMatch(/retry-after: 1/i);
  refused.socket.destroy();
});

it('a request whose store hangs is answered 503 before the sender gives up, and an event stored later counts as not acknowledged', async () => {
  await start({
    inbox: { store: () => new Promise(() => {}), isFull: () => false },
    limits: { acknowledgeWithinMs: 50 },
  });
  const answer = await api.ask(path, { method: 'POST', body, headers: signedHeaders(body) });
  expect(answer).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } });
  expect(answer.headers.get('retry-after')).toBe('1');
});

it('a sender whose address is not allowed: 403, before a byte of the body is read', async () => {
  const networks = (address: string) => [{ address, prefix: 32, family: 'ipv4' as const }];
  const url = await start({
    senders: new TrustedSenders({ allow: networks('203.0.113.7'), proxies: networks('127.0.0.1') }),
  });
  const stranger = await rawConnection(url);
  stranger.write(head({ ...signedHeaders(body), 'content-length': body.length }));
  await eventually('it is refused', () => answerIn(stranger.received).status === 403);
  stranger.socket.destroy();
  const headers = { ...signedHeaders(body), 'x-forwarded-for': '203.0.113.7' };
  expect((await api.ask(path, { method: 'POST', body, headers })).status).toBe(204);
});

it('the receiver counts each outcome of callbacks, and samples refusals in the log without any of their content', async () => {
  await start();
  const count = async (outcome: string) =>
    Number(
      new RegExp(`handover_callbacks_total\\{channel="update",outcome="${outcome}"\\} (\\d+)`).exec(
        await metrics.registry.metrics(),
      )?.[1],
    );
  // the first of its kind is an increase only from a 0 that was read before
  for (const outcome of ['stored', 'STORE_UNAVAILABLE', 'INTAKE_OVERLOADED'])
    expect(await count(outcome), outcome).toBe(0);
  const reservation = aReservation(8421);
  const text = reservationBody('update', reservation);
  const send = (headers: Record<string, string>) =>
    api.ask(pathOf('update'), { method: 'POST', body: text, headers });
  await send(signedHeaders(text));
  for (let i = 0; i < 50; i++) expect((await send({ 'webhook-id': `msg_${i}` })).status).toBe(401);
  await send(signedHeaders(text, { at: new Date(0) }));
  expect(await Promise.all(['stored', 'SIGNATURE_MISSING', 'TIMESTAMP_STALE'].map(count))).toEqual([
    1, 50, 1,
  ]);
  expect(await metrics.registry.metrics()).toContain('handover_callbacks_acknowledged_seconds_count 1');
  const lines = api.logged.filter((line) => line.includes('a callback was refused'));
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    code: 'SIGNATURE_MISSING',
    channel: 'update',
    from: '127.0.0.1',
  });
  for (const personal of [reservation.driverName, reservation.driverPhone])
    expect(api.logged.join()).not.toContain(`"${personal}"`);
});
