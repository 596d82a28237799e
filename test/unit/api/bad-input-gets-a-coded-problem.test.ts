import { connect } from 'node:net';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemCodes } from '../../../src/api/http/problem-codes.js';
import { ListsNotReadyError } from '../../../src/store/reservations/lists-ready.js';
import { type Ask, fullView, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  api.parts.views.set(8421, fullView(8421));
});
afterAll(() => api.close());

const booking = {
  productId: 7,
  startAt: '2026-11-21T09:00:00+09:00',
  endAt: '2026-11-22T09:00:00+09:00',
  pickupAddress: '1 Sejong-daero',
  driver: {
    name: 'A Driver',
    birth: '19900101',
    phone: '01012345678',
    licenseNumber: '11-22',
    address: 'Seoul',
  },
};
const put = (json: unknown): Ask => ({ method: 'PUT', as: 'staff', key: 'k-1', json });
const book = (json: unknown): Ask => ({ method: 'POST', as: 'staff', key: 'k-1', json });

const cases: [what: string, path: string, ask: Ask, code: keyof typeof problemCodes, says: RegExp][] = [
  ['an unknown route', '/api/parking-lots', { as: 'staff' }, 'ROUTE_NOT_FOUND', /\/docs/],
  ['a broken escape in the path', '/api/reservations/%zz', { as: 'staff' }, 'MALFORMED_URL', /escape/],
  [
    'a wrong method',
    '/api/reservations/8421',
    { method: 'DELETE', as: 'staff' },
    'METHOD_NOT_ALLOWED',
    /GET/,
  ],
  [
    'malformed JSON',
    '/api/reservations',
    { method: 'POST', as: 'staff', key: 'k', body: '{"a":', headers: { 'content-type': 'application/json' } },
    'MALFORMED_JSON',
    /one JSON document/,
  ],
  [
    'a wrong content type',
    '/api/reservations',
    { method: 'POST', as: 'staff', key: 'k', body: 'a=b', headers: { 'content-type': 'text/plain' } },
    'UNSUPPORTED_MEDIA_TYPE',
    /application\/json/,
  ],
  [
    'a form where JSON belongs',
    '/api/reservations/8421/dispatch/start',
    { method: 'PUT', as: 'staff', key: 'k', body: new FormData() },
    'UNSUPPORTED_MEDIA_TYPE',
    /application\/json/,
  ],
  [
    'a body too large',
    '/api/reservations',
    book({ ...booking, pickupMemo: 'x'.repeat(70_000) }),
    'BODY_TOO_LARGE',
    /64 KiB/,
  ],
  ['a body of the wrong type', '/api/reservations', book([1]), 'INVALID_BODY', /object/],
  [
    'a missing body',
    '/api/reservations/8421/dispatch/staff',
    { ...put(undefined) },
    'INVALID_BODY',
    /object/,
  ],
  ['an unknown reservation', '/api/reservations/1', { as: 'staff' }, 'RESERVATION_NOT_FOUND', /1/],
  [
    'the story of an unknown reservation',
    '/api/reservations/1/timeline',
    { as: 'staff' },
    'RESERVATION_NOT_FOUND',
    /1/,
  ],
  ['an id that is no number', '/api/reservations/abc', { as: 'staff' }, 'INVALID_ID', /whole number/],
  ['an id above 2^53-1', '/api/reservations/9007199254740993', { as: 'staff' }, 'INVALID_ID', /2\^53/],
  [
    'no Idempotency-Key',
    '/api/reservations',
    { method: 'POST', as: 'staff', json: booking },
    'IDEMPOTENCY_KEY_INVALID',
    /idempotency-key/,
  ],
  [
    'an Idempotency-Key with blanks',
    '/api/reservations',
    { ...book(booking), key: 'a b' },
    'IDEMPOTENCY_KEY_INVALID',
    /letters/,
  ],
  [
    'a misspelt field',
    '/api/reservations',
    book({ ...booking, pickupmemo: 'x' }),
    'INVALID_BODY',
    /pickupmemo/,
  ],
  [
    'an end before the start',
    '/api/reservations',
    book({ ...booking, endAt: booking.startAt }),
    'PERIOD_REVERSED',
    /endAt: /,
  ],
  [
    'an override without a reason',
    '/api/reservations/8421/dispatch/start',
    put({ override: true }),
    'INVALID_BODY',
    /reason: /,
  ],
  [
    'a closed that is neither',
    '/api/reservations?closed=yes',
    { as: 'staff' },
    'INVALID_QUERY',
    /closed: .*true/,
  ],
  ['a limit above 500', '/api/reservations?limit=501', { as: 'staff' }, 'INVALID_QUERY', /limit: .*500/],
  [
    'a list from a moment without an offset',
    '/api/reservations?from=2026-11-21T09:00:00',
    { as: 'staff' },
    'INVALID_QUERY',
    /from: .*offset/,
  ],
  [
    'an unknown attention kind',
    '/api/reservations?attention=boredom',
    { as: 'staff' },
    'INVALID_QUERY',
    /attention: /,
  ],
  ['an inbox cursor of one’s own', '/api/inbox?cursor=abc', { as: 'staff' }, 'INVALID_QUERY', /nextCursor/],
  ['an alert cursor of one’s own', '/api/alerts?cursor=-1', { as: 'staff' }, 'INVALID_QUERY', /nextCursor/],
  ['a state of alerts that is none', '/api/alerts?state=closed', { as: 'staff' }, 'INVALID_QUERY', /state: /],
];

describe('each is a problem document with its code and status, which states what would be valid', () => {
  it.each(cases)('%s', async (_what, path, ask, code, says) => {
    const { status, type, body } = await api.ask(path, ask);
    expect({ status, code: body.code }).toEqual({ status: problemCodes[code].status, code });
    expect(type).toMatch(/^application\/problem\+json/);
    expect(body).toMatchObject({
      status,
      title: problemCodes[code].title,
      type: `urn:handover:problem:${code}`,
    });
    expect(body.detail).toMatch(says);
  });
});

it('405 names the methods that the path accepts', async () => {
  const { headers } = await api.ask('/api/reservations', { method: 'PATCH', as: 'staff' });
  expect(headers.get('allow')).toBe('GET, HEAD, POST');
});

const secrets = ['010-1234-5678', '1990-02-30', '19900230', '9'.repeat(30)];
const personal: [field: string, driver: object][] = [
  ['driver.phone', { phone: '010-1234-5678' }],
  ['driver.phone', { phone: '9'.repeat(30) }],
  ['driver.birth', { birth: '1990-02-30' }],
  ['driver.birth', { birth: '19900230' }],
];
describe('L60, L61: a bad phone or birth date is named by its field, never by its value', () => {
  it.each(personal)('%s', async (field, driver) => {
    const before = api.logged.length;
    const { body, text } = await api.ask(
      '/api/reservations',
      book({ ...booking, driver: { ...booking.driver, ...driver } }),
    );
    expect(body.code).toBe('INVALID_BODY');
    expect(body.fields.map((one: { field: string }) => one.field)).toEqual([field]);
    expect(body.fields[0].message).toMatch(/digits only|YYYYMMDD/);
    for (const secret of secrets) expect(text + api.logged.slice(before).join()).not.toContain(secret);
  });

  it('a staff phone with hyphens', async () => {
    const json = { staffName: 'A Person', staffPhone: '010-1234-5678' };
    const { status, body } = await api.ask('/api/reservations/8421/dispatch/staff', put(json));
    expect(status).toBe(400);
    expect(body.fields).toEqual([{ field: 'staffPhone', message: expect.stringMatching(/digits only/) }]);
  });
});

it('all fields that do not fit are named at once', async () => {
  const driver = { ...booking.driver, phone: '', birth: '' };
  const { body } = await api.ask('/api/reservations', book({ ...booking, startAt: 'now', driver }));
  expect(body.fields.map((one: { field: string }) => one.field).toSorted()).toEqual([
    'driver.birth',
    'driver.phone',
    'startAt',
  ]);
});

it('bad input reaches neither the platform nor a workflow', () => {
  expect(api.parts.bookings).toEqual([]);
  expect(api.parts.acts).toEqual([]);
});

it('a request that breaks off is refused and disturbs no other request', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n');
  expect(await answer).toMatch(/^HTTP\/1\.1 400/);
  socket.destroy();
  expect((await api.ask('/healthz')).status).toBe(200);
});

it('a fault of our own is 500 with a code, and its text stays in the log', async () => {
  api.parts.onBook = async () => {
    throw new Error('the inner story');
  };
  const { status, body, text } = await api.ask('/api/reservations', book(booking));
  expect({ status, code: body.code }).toEqual({ status: 500, code: 'INTERNAL_ERROR' });
  expect(text).not.toContain('inner story');
  expect(api.logged.join()).toContain('inner story');
});

it('an unavailable database is 503, and the statement with its values stays out of the log', async () => {
  api.parts.onInbox = async () => {
    throw new DrizzleQueryError(
      'select',
      ['a private word'],
      Object.assign(new Error(), { code: 'ECONNREFUSED' }),
    );
  };
  const { status, body, text } = await api.ask('/api/inbox', { as: 'staff' });
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'STORE_UNAVAILABLE' });
  expect(text + api.logged.join()).not.toContain('private');
  expect(api.logged.join()).toContain('ECONNREFUSED');
});

it('lists that are not complete yet are 503, never an empty list', async () => {
  const notReady = async () => {
    throw new ListsNotReadyError('of the test');
  };
  const own = await startApi({ lists: { open: notReady, board: notReady, closed: notReady } });
  for (const path of ['/api/reservations', '/api/board']) {
    const { status, body } = await own.ask(path, { as: 'staff' });
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'LISTS_NOT_READY' });
  }
  await own.close();
});
