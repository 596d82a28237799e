import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf, SessionCookies, sessionCookie } from '../../../src/api/http/session-cookie.js';
import { createSealer } from '../../../src/store/sealing/sealer.js';
import { type Ask, startApi, type TestApi } from '../../support/api.js';
import { publicTestKey } from '../../support/codec.js';

const twelveHours = 12 * 60 * 60;
const ownPage = { 'sec-fetch-site': 'same-origin' };
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const login = (token: string, headers: Record<string, string> = ownPage, at = api) =>
  at.ask('/api/session', { method: 'POST', json: { token }, headers });
const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie') ?? '';
const loggedIn = async (token: string, at = api) =>
  cookieOf(await login(token, ownPage, at)).split(';')[0] ?? '';
const withCookie = (path: string, cookie: string, { headers, ...ask }: Ask = {}, at = api) =>
  at.ask(path, { ...ask, headers: { cookie, ...headers } });
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code];

describe('POST /api/session', () => {
  it('answers who is logged in, and sets a cookie that no script reads and no other site sends, for 12 h', async () => {
    const answer = await login('staff-token');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        name: 'kim',
        role: 'staff',
        platformRoles: ['channel', 'supplier'],
        timeZone: '+09:00',
        version: '0.0.0',
        temporalUi: null,
        temporalNamespace: 'default',
      },
    ]);
    expect(cookieOf(answer)).toMatch(
      new RegExp(`^handover_session=[\\w-]+; Max-Age=${twelveHours}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect(cookieOf(answer)).not.toContain('staff-token');
  });

  it.each([
    ['the page came by https', { origin: 'https://127.0.0.1' }, true],
    ['a proxy ended TLS', { 'x-forwarded-proto': 'https' }, true],
    ['the page came by http', { origin: 'http://127.0.0.1', 'x-forwarded-proto': 'http' }, false],
  ])('marks the cookie Secure where %s: %s', async (_, headers, secure) => {
    const cookie = cookieOf(await login('staff-token', { ...ownPage, ...headers }));
    expect(cookie.includes('; Secure')).toBe(secure);
  });

  it('refuses a wrong token without a cookie, and throttles the address', async () => {
    const own = await startApi();
    try {
      const refused = await login('wrong', ownPage, own);
      expect([codeOf(refused), cookieOf(refused)]).toEqual([[401, 'TOKEN_INVALID'], '']);
      for (let attempt = 2; attempt <= 60; attempt++) await login('wrong', ownPage, own);
      expect(codeOf(await login('wrong', ownPage, own))).toEqual([429, 'TOO_MANY_REFUSED_TOKENS']);
      expect((await login('staff-token', ownPage, own)).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ])('refuses a page of another site: %o', async (headers) => {
    const refused = await login('staff-token', headers);
    expect([codeOf(refused), cookieOf(refused)]).toEqual([[403, 'ORIGIN_NOT_ALLOWED'], '']);
  });

  it.each([undefined, {}, { token: '' }, { token: 1 }, { token: 'a', more: 1 }])(
    'refuses a body without a token: %o',
    async (json) => {
      const refused = await api.ask('/api/session', { method: 'POST', json });
      expect(codeOf(refused)).toEqual([400, 'INVALID_BODY']);
    },
  );
});

describe('the cookie', () => {
  it('reads and writes in place of the token, by its role and name', async () => {
    const cookie = await loggedIn('manager-token');
    expect((await withCookie('/api/me', cookie)).body).toMatchObject({ name: 'lee', role: 'manager' });
    expect((await withCookie('/api/audit', cookie)).status).toBe(200);
    const path = '/api/reservations/8421/attention/retrieve-car/resolve';
    const write: Ask = { method: 'POST', key: 'k', json: { reason: 'the car is back' } };
    expect((await withCookie(path, cookie, { ...write, headers: ownPage })).status).toBe(200);
    expect(api.parts.settlements.at(-1)).toMatchObject({ input: { by: 'lee' } });
  });

  it('may do no more than its token', async () => {
    const cookie = await loggedIn('viewer-token');
    expect(codeOf(await withCookie('/api/audit', cookie))).toEqual([403, 'ROLE_NOT_ALLOWED']);
  });

  it('is accepted by each process with the same keys and tokens, and by no other', async () => {
    const cookie = await loggedIn('staff-token');
    const second = await startApi();
    const otherKey = { id: 'public-test-key', key: Buffer.alloc(32, 7) };
    const stranger = await startApi({ sessionSealer: createSealer([otherKey]) });
    try {
      expect((await withCookie('/api/me', cookie, {}, second)).status).toBe(200);
      expect(codeOf(await withCookie('/api/me', cookie, {}, stranger))).toEqual([401, 'SESSION_ENDED']);
    } finally {
      await Promise.all([second.close(), stranger.close()]);
    }
  });

  it.each([
    ['in the form that is bound to its place', true, 200],
    ['in the form of CODEC_BINDING=off, which any sealed column has', false, 401],
  ])('is one only where it is sealed for that: %s', async (_, bind, status) => {
    const cookies = new SessionCookies(createSealer([publicTestKey], { bind }));
    const cookie = cookies.seal({ token: digestOf('staff-token').toString('base64') });
    expect((await withCookie('/api/me', `${sessionCookie}=${cookie}`)).status).toBe(status);
  });

  it('ends when its token is removed, and follows the role that the token has', async () => {
    const cookie = await loggedIn('staff-token');
    const removed = await startApi({ tokens: [{ role: 'staff', token: 'new-token', name: 'kim' }] });
    const changed = await startApi({ tokens: [{ role: 'viewer', token: 'staff-token', name: 'kim b' }] });
    try {
      expect(codeOf(await withCookie('/api/me', cookie, {}, removed))).toEqual([401, 'SESSION_ENDED']);
      const { body } = await withCookie('/api/me', cookie, {}, changed);
      expect(body).toMatchObject({ name: 'kim b', role: 'viewer' });
    } finally {
      await Promise.all([removed.close(), changed.close()]);
    }
  });

  it('ends after 12 h', async () => {
    let now = Date.now();
    const own = await startApi({ clock: () => now });
    try {
      const cookie = await loggedIn('staff-token', own);
      now += twelveHours * 1000 - 1;
      expect((await withCookie('/api/me', cookie, {}, own)).status).toBe(200);
      now += 1;
      expect(codeOf(await withCookie('/api/me', cookie, {}, own))).toEqual([401, 'SESSION_ENDED']);
    } finally {
      await own.close();
    }
  });

  it('is refused where one character differs, and where it is something else', async () => {
    const cookie = await loggedIn('staff-token');
    const last = cookie.at(-9) === 'A' ? 'B' : 'A';
    const other = [
      `${cookie.slice(0, -9)}${last}${cookie.slice(-8)}`,
      'handover_session=',
      'handover_session=x.y',
    ];
    const elsewhere = createSealer([
      { id: 'public-test-key', key: Buffer.from('golden histories hide nothing at') },
    ]);
    other.push(`handover_session=${elsewhere.seal(Buffer.from('{}'), 'inbox/1').toString('base64url')}`);
    for (const one of other)
      expect([one, ...codeOf(await withCookie('/api/me', one))]).toEqual([one, 401, 'SESSION_ENDED']);
  });

  it('gives way to a token in the header', async () => {
    const cookie = await loggedIn('viewer-token');
    const { body } = await withCookie('/api/me', cookie, { as: 'manager' });
    expect(body.name).toBe('lee');
    const headers = { authorization: 'Bearer wrong' };
    expect(codeOf(await withCookie('/api/me', cookie, { headers }))).toEqual([401, 'TOKEN_INVALID']);
  });

  it('leaves no answer in a cache', async () => {
    const cookie = await loggedIn('viewer-token');
    expect((await withCookie('/api/alerts', cookie)).headers.get('cache-control')).toBe('no-store');
    expect((await api.ask('/api/alerts', { as: 'viewer' })).headers.get('cache-control')).toBeNull();
  });
});

describe('a write by cookie', () => {
  const resolve = async (headers: Record<string, string>, ask: Ask = {}) =>
    withCookie('/api/reservations/8421/attention/handover-late/resolve', await loggedIn('manager-token'), {
      method: 'POST',
      key: 'k',
      json: { reason: 'done' },
      headers,
      ...ask,
    });

  it('is accepted from a page of this server: by Sec-Fetch-Site, else by Origin', async () => {
    expect((await resolve(ownPage)).status).toBe(200);
    expect((await resolve({ origin: api.url })).status).toBe(200);
  });

  it.each([
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'https://evil.example' },
  ] as Record<string, string>[])('is refused from elsewhere: %o', async (headers) => {
    const before = api.parts.settlements.length;
    expect(codeOf(await resolve(headers))).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    expect(api.parts.settlements).toHaveLength(before);
  });

  it('is refused where the two headers contradict each other', async () => {
    expect((await resolve({ origin: api.url, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('needs no origin where a token is in the header', async () => {
    expect((await resolve({ 'sec-fetch-site': 'cross-site' }, { as: 'manager', headers: {} })).status).toBe(
      200,
    );
  });
});

it('DELETE /api/session removes the cookie, also one that has ended', async () => {
  for (const cookie of [await loggedIn('staff-token'), 'handover_session=ended', '']) {
    const answer = await withCookie('/api/session', cookie, { method: 'DELETE', headers: ownPage });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(cookieOf(answer)).toMatch(
      /^handover_session=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 [^;]+; HttpOnly; SameSite=Strict$/,
    );
  }
  const elsewhere = { method: 'DELETE', headers: { origin: 'https://evil.example' } };
  expect(codeOf(await withCookie('/api/session', '', elsewhere))).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
});

it('GET /api/staff lists who can act: each name once, with the highest role', async () => {
  const tokens = [
    { role: 'manager', token: 'a', name: 'lee' },
    { role: 'staff', token: 'b', name: 'lee' },
    { role: 'staff', token: 'c', name: 'kim' },
    { role: 'viewer', token: 'd', name: 'board' },
  ] as const;
  const own = await startApi({ tokens });
  try {
    const { body } = await own.ask('/api/staff', { headers: { authorization: 'Bearer d' } });
    expect(body).toEqual({
      items: [
        { name: 'kim', role: 'staff' },
        { name: 'lee', role: 'manager' },
      ],
    });
  } finally {
    await own.close();
  }
});
