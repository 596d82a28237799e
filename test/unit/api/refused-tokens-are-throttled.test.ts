import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Problem } from '../../../src/api/http/problem.js';
import { createSenderOf } from '../../../src/api/http/sender.js';
import { TokenRefusals } from '../../../src/api/http/token-refusals.js';
import { startApi, type TestApi } from '../../support/api.js';

const mostPerMinute = 60;
let api: TestApi;
beforeAll(async () => {
  const senderOf = createSenderOf([{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }]);
  const codec = { token: 'c'.repeat(24), uiOrigins: [], decode: async () => [], subjectOf: () => undefined };
  api = await startApi({ senderOf, codec });
});
afterAll(() => api.close());

const guess = (from: string, token = 'wrong-token-of-a-stranger') =>
  api.ask('/api/alerts', { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from } });

it('refused tokens of an address get 401, then 429 with Retry-After; each is counted, and logged without the token', async () => {
  const answers = [];
  for (let attempt = 1; attempt <= mostPerMinute + 5; attempt++) answers.push(await guess('198.51.100.1'));
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array(mostPerMinute).fill(401),
    ...Array(5).fill(429),
  ]);
  const [last] = answers.slice(-1);
  expect(last?.body.code).toBe('TOO_MANY_REFUSED_TOKENS');
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(last?.headers.get('retry-after'))).toBeLessThanOrEqual(60);

  const lines = api.logged.filter((line) => line.includes('198.51.100.1')).map((line) => JSON.parse(line));
  expect(lines).toHaveLength(mostPerMinute + 1);
  expect(lines[0]).toMatchObject({
    code: 'TOKEN_INVALID',
    from: '198.51.100.1',
    method: 'GET',
    route: '/api/alerts',
  });
  expect(lines.at(-1)).toMatchObject({ code: 'TOO_MANY_REFUSED_TOKENS' });
  expect(api.logged.join('')).not.toContain('wrong-token-of-a-stranger');

  const { text } = await api.ask('/metrics');
  expect(text).toContain('handover_http_refused_tokens_total{answer="refused"} 60');
  expect(text).toContain('handover_http_refused_tokens_total{answer="throttled"} 5');
});

it('a correct token works at an address that is throttled, and other addresses are not', async () => {
  expect((await guess('198.51.100.1')).status).toBe(429);
  expect((await guess('198.51.100.1', 'viewer-token')).status).toBe(200);
  expect((await guess('198.51.100.2')).status).toBe(401);
});

it('tokens of the codec endpoint count too', async () => {
  const decode = (by: string) =>
    api.ask(`/codec/${by}/decode`, {
      method: 'POST',
      json: { payloads: [] },
      headers: { 'x-forwarded-for': '198.51.100.3' },
    });
  for (let attempt = 1; attempt <= mostPerMinute; attempt++) expect((await decode('guess')).status).toBe(404);
  expect((await decode('guess')).status).toBe(429);
  expect((await decode('c'.repeat(24))).status).toBe(200);
});

it('a request without a token does not count', async () => {
  for (let attempt = 1; attempt <= mostPerMinute + 5; attempt++) {
    const headers = { 'x-forwarded-for': '198.51.100.4' };
    expect((await api.ask('/api/alerts', { headers })).status).toBe(401);
  }
});

it('after a minute an address may try again; an IPv6 network counts as one; memory is bounded', async () => {
  let now = 0;
  let from = '';
  const refusals = new TokenRefusals({
    log: { warn: () => undefined },
    registry: new Registry(),
    senderOf: () => from,
    clock: () => now,
  });
  const app = Fastify();
  app.get('/', async (request) => {
    try {
      refusals.record(request);
      return 'refused';
    } catch (error) {
      return error instanceof Problem ? `throttled ${error.extra.headers?.['retry-after']}` : 'failed';
    }
  });
  const attempt = async (address: string) => {
    from = address;
    return (await app.inject('/')).payload;
  };
  for (let at = 0; at < mostPerMinute; at++) expect(await attempt(`2001:db8:1:2::${at + 1}`)).toBe('refused');
  now = 15_000;
  expect(await attempt('2001:db8:1:2:aaaa::')).toBe('throttled 45');
  expect(await attempt('2001:db8:1:3::1')).toBe('refused');
  now = 60_000;
  expect(await attempt('2001:db8:1:2::1')).toBe('refused');

  for (let at = 0; at < 10_100; at++) {
    from = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
    refusals.record({ headers: {}, raw: { socket: {} }, routeOptions: {}, method: 'GET' } as never);
  }
  expect((refusals as unknown as { counted: Map<string, unknown> }).counted.size).toBe(10_000);
});

it('the documentation can be switched off', async () => {
  expect((await api.ask('/docs/json')).status).toBe(200);
  const without = await startApi({ docs: false });
  try {
    for (const path of ['/docs', '/docs/json', '/docs/static/index.html']) {
      const { status, body } = await without.ask(path);
      expect([path, status, body.code]).toEqual([path, 404, 'ROUTE_NOT_FOUND']);
      expect(body.detail).not.toContain('/docs.');
    }
    expect((await without.ask('/api/alerts', { as: 'viewer' })).status).toBe(200);
  } finally {
    await without.close();
  }
});
