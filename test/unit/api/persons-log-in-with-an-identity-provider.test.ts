import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GroupRole } from '../../../src/api/http/access.js';
import { startApi, type TestApi } from '../../support/api.js';
import { deadAddress } from '../../support/http-peer.js';
import { logInAs, startIdentityProvider } from '../../support/identity-provider.js';

const consoleUrl = 'https://console.example';
const roles: GroupRole[] = [
  { role: 'staff', group: 'dispatch' },
  { role: 'manager', group: 'shift:leads' },
  { role: 'viewer', group: 'all' },
];
const groups = { yuna: ['dispatch', 'all'], minho: ['all', 'shift:leads', 'dispatch'], guest: ['others'] };
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let api: TestApi;
const settings = () => ({ ...provider.settings, roles, consoleUrl });
beforeAll(async () => {
  provider = await startIdentityProvider(groups, `${consoleUrl}/api/session/oidc/callback`);
  api = await startApi({ oidc: settings() });
});
afterAll(async () => {
  await api?.close();
  await provider?.close();
});

const open = async (path: string, cookie = '', at = api) => {
  const response = await fetch(at.url + path, { redirect: 'manual', headers: { cookie } });
  await response.arrayBuffer();
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    cookies: response.headers.getSetCookie(),
  };
};
const pairOf = (cookies: string[], name: string) =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(';')[0] ?? '';

/** The console sends the browser to the provider. */
async function leave(to = '') {
  const { status, location, cookies } = await open(`/api/session/oidc${to}`);
  expect(status).toBe(303);
  return { location, cookie: pairOf(cookies, 'handover_oidc'), cookies };
}

/** The whole way of a browser. */
async function logIn(name: string, to = '') {
  const { location, cookie } = await leave(to);
  const back = await logInAs(name, location);
  return { ...(await open(back.pathname + back.search, cookie)), back, cookie };
}

const me = (session: string, at = api) => at.ask('/api/me', { headers: { cookie: session } });

describe('a person', () => {
  it.each([
    ['yuna', 'staff'],
    ['minho', 'manager'],
  ])('%s logs in and has the highest role of the groups: %s', async (name, role) => {
    const { status, location, cookies } = await logIn(name, '?to=%2Fr%2F8421%3Ftab%3Dphotos');
    expect([status, location]).toEqual([303, '/r/8421?tab=photos']);
    const set = cookies.find((one) => one.startsWith('handover_session='));
    expect(set).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect((await me(pairOf(cookies, 'handover_session'))).body).toMatchObject({ name, role });
  });

  it('is named in the audit', async () => {
    const { cookies } = await logIn('minho');
    await api.ask('/api/reservations/8421/attention/retrieve-car/resolve', {
      method: 'POST',
      key: 'k',
      json: { reason: 'the car is back' },
      headers: { cookie: pairOf(cookies, 'handover_session'), 'sec-fetch-site': 'same-origin' },
    });
    expect(api.parts.settlements.at(-1)).toMatchObject({ input: { by: 'minho' } });
  });

  it('can be given attention items from then on, with staff of tokens', async () => {
    const { cookies } = await logIn('yuna');
    const headers = { cookie: pairOf(cookies, 'handover_session') };
    const { items } = (await api.ask('/api/staff', { headers })).body;
    expect(items).toContainEqual({ name: 'yuna', role: 'staff' });
    expect(items.length).toBeGreaterThan(1);
    expect(api.parts.persons.at(-1)).toEqual({ name: 'yuna', role: 'staff' });
    const claimed = await api.ask('/api/reservations/8421/attention/return-late/claim', {
      method: 'PUT',
      as: 'manager',
      json: { name: 'yuna' },
    });
    expect([claimed.status, claimed.body.owner]).toEqual([200, 'yuna']);
  });

  it('without a group that has a role is refused, without a cookie', async () => {
    const { location, cookies } = await logIn('guest');
    expect([location, pairOf(cookies, 'handover_session')]).toEqual(['/#login-failed=refused', '']);
  });

  it('loses the login when the groups lose their roles, or the provider is another or none', async () => {
    const session = pairOf((await logIn('yuna')).cookies, 'handover_session');
    const codeIn = async (oidc: Parameters<typeof startApi>[0]) => {
      const other = await startApi(oidc);
      const { body } = await me(session, other);
      await other.close();
      return body.code ?? body.role;
    };
    expect(await codeIn({ oidc: settings() })).toBe('staff');
    expect(await codeIn({ oidc: { ...settings(), roles: roles.slice(2) } })).toBe('viewer');
    expect(await codeIn({ oidc: { ...settings(), roles: roles.slice(1, 2) } })).toBe('SESSION_ENDED');
    expect(await codeIn({ oidc: { ...settings(), issuer: 'https://other.example' } })).toBe('SESSION_ENDED');
    expect(await codeIn({})).toBe('SESSION_ENDED');
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'https://console.example.evil/',
    'x:y',
    '/.//evil.example',
    '/x/..//evil.example',
    '/.\\\\evil.example',
    '/%2e//evil.example',
    './/evil.example',
    '/\t/evil.example',
    `${consoleUrl}//evil.example/r/1`,
    `${consoleUrl}/.//evil.example`,
    `${consoleUrl}@evil.example/`,
  ])('is never sent on to another site: %j', async (to) => {
    const { location } = await logIn('yuna', `?to=${encodeURIComponent(to)}`);
    expect(new URL(location, consoleUrl).origin).toBe(consoleUrl);
    expect(location).toMatch(/^\/(?![/\\])/);
  });
});

describe('the way to the provider', () => {
  it('has a code challenge, a state and a nonce, and the scopes that the provider knows', async () => {
    const { location, cookies } = await leave();
    const { origin, searchParams } = new URL(location);
    expect(origin).toBe(provider.settings.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'handover',
      response_type: 'code',
      redirect_uri: `${consoleUrl}/api/session/oidc/callback`,
      scope: 'openid profile groups',
      state: expect.stringMatching(/^.{40,}$/),
      nonce: expect.stringMatching(/^.{40,}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/; Max-Age=600; Path=\/api\/session\/oidc; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookies[0]).not.toContain(searchParams.get('state'));
  });

  it('does not answer: the console states that the provider is unavailable, and the next attempt succeeds', async () => {
    const own = await startApi({ oidc: { ...settings(), issuer: await deadAddress() } });
    const { location, cookies } = await open('/api/session/oidc?to=/r/8421?at=1', '', own);
    await own.close();
    expect([location, cookies]).toEqual(['/r/8421?at=1#login-failed=unavailable', []]);
    expect(own.logged.join('')).toContain('"failure":"unavailable"');
  });
});

it('a provider that goes away before the return is unavailable: no person and no address is at fault', async () => {
  const goes = await startIdentityProvider(groups, `${consoleUrl}/api/session/oidc/callback`);
  const own = await startApi({ oidc: { ...goes.settings, roles, consoleUrl } });
  const begin = async () => {
    const { location, cookies } = await open('/api/session/oidc', '', own);
    return { location, cookie: pairOf(cookies, 'handover_oidc') };
  };
  const first = await begin();
  const back = await logInAs('yuna', first.location);
  const later = await Promise.all(Array.from({ length: 60 }, begin));
  await goes.close();
  expect((await open(back.pathname + back.search, first.cookie, own)).location).toBe(
    '/#login-failed=unavailable',
  );
  const returns = async ({ location, cookie }: (typeof later)[number]) => {
    back.searchParams.set('state', new URL(location).searchParams.get('state') ?? '');
    return open(back.pathname + back.search, cookie, own);
  };
  const [last, ...others] = later;
  for (const one of others) expect((await returns(one)).status).toBe(303);
  // nor where what is in front of it answers
  const busy = createServer((_, response) => response.writeHead(503).end('busy'));
  await once(busy.listen(Number(new URL(goes.settings.issuer).port), '127.0.0.1'), 'listening');
  expect(last && (await returns(last)).location).toBe('/#login-failed=unavailable');
  busy.close();
  await own.close();
});

it('after a logout the provider asks who the next person is, until one has logged in', async () => {
  const promptOf = async (cookie: string) =>
    new URL((await open('/api/session/oidc', cookie)).location).searchParams.get('prompt');
  expect(await promptOf('')).toBeNull();
  const left = await fetch(`${api.url}/api/session`, {
    method: 'DELETE',
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const marked = pairOf(left.headers.getSetCookie(), 'handover_logged_out');
  expect(await promptOf(marked)).toBe('login');
  const { location, cookie } = await leave();
  const back = await logInAs('minho', location);
  const { cookies } = await open(back.pathname + back.search, `${cookie}; ${marked}`);
  expect(cookies.find((one) => one.startsWith('handover_logged_out='))).toMatch(/^handover_logged_out=;/);
});

describe('a return that this browser did not begin is no login', () => {
  const failed = async (path: string, cookie: string) => {
    const { location, cookies } = await open(path, cookie);
    expect([location, pairOf(cookies, 'handover_session')]).toEqual(['/#login-failed=failed', '']);
  };

  it('without the cookie, with that of another login, or with none of ours', async () => {
    const { location } = await leave();
    const back = await logInAs('yuna', location);
    const path = back.pathname + back.search;
    await failed(path, '');
    await failed(path, (await leave()).cookie);
    await failed(path, 'handover_oidc=x');
    const session = pairOf((await logIn('yuna')).cookies, 'handover_session');
    await failed(path, session.replace('handover_session', 'handover_oidc'));
  });

  it('with a code that is none, or with an error of the provider', async () => {
    for (const change of [{ code: 'none' }, { error: 'access_denied' }]) {
      const { location, cookie } = await leave();
      const { pathname, searchParams } = await logInAs('yuna', location);
      const { code, ...of } = { ...Object.fromEntries(searchParams) };
      await failed(`${pathname}?${new URLSearchParams({ ...of, ...change })}`, cookie);
    }
    await failed('/api/session/oidc/callback', (await leave()).cookie);
    expect(api.logged.join('')).toContain('"code":"access_denied"');
  });

  it('a second time: the provider is not asked', async () => {
    const { back, cookie } = await logIn('yuna');
    await failed(back.pathname + back.search, cookie);
    back.searchParams.set('code', 'none');
    await failed(back.pathname + back.search, cookie);
    const refusals = api.logged.filter((line) => line.includes('did not succeed'));
    expect(refusals.slice(-2).map((line) => JSON.parse(line).code)).toEqual(['Error', 'Error']);
  });

  it('beyond sixty failures a minute from one address: further ones get 429, and tokens still work', async () => {
    const own = await startApi({ oidc: settings() });
    const statuses = [];
    for (let count = 0; count < 61; count++)
      statuses.push((await open('/api/session/oidc/callback', '', own)).status);
    expect(statuses).toEqual([...Array(60).fill(303), 429]);
    expect((await own.ask('/api/me', { as: 'viewer' })).status).toBe(200);
    await own.close();
  });

  it('after ten minutes', async () => {
    let now = Date.now();
    const own = await startApi({ oidc: settings(), clock: () => now });
    const { location, cookies } = await open('/api/session/oidc', '', own);
    const back = await logInAs('yuna', location);
    now += 600_000;
    const late = await open(back.pathname + back.search, pairOf(cookies, 'handover_oidc'), own);
    await own.close();
    expect(late.location).toBe('/#login-failed=failed');
  });
});

it('the console learns how to log in', async () => {
  expect((await api.ask('/api/session')).body).toEqual({ methods: ['oidc', 'token'] });
  const without = await startApi();
  expect((await without.ask('/api/session')).body).toEqual({ methods: ['token'] });
  expect((await without.ask('/api/session/oidc')).body.code).toBe('ROUTE_NOT_FOUND');
  await without.close();
});

it('neither the log nor an address holds a secret, a code or a name', async () => {
  const { back } = await logIn('guest');
  const log = api.logged.join('');
  for (const text of [provider.settings.clientSecret, back.searchParams.get('code') ?? '?', 'guest'])
    expect(log).not.toContain(text);
});
