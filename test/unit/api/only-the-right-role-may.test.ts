import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visible } from '../../../src/api/reservations/owners.js';
import { reservation } from '../../../src/api/reservations/schemas.js';
import { withoutPersonalData } from '../../../src/api/reservations/view.js';
import { fullView, personal, shownView, startApi, type TestApi, type TokenRole } from '../../support/api.js';
import { inEnglish } from '../../support/sentences.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  api.parts.views.set(8421, fullView(8421));
});
afterAll(() => api.close());

/** The weakest role that may read each GET path of the API document; null: read without a token. */
const weakest: Record<string, TokenRole | null> = {
  '/healthz': null,
  '/readyz': null,
  '/readyz/intake': null,
  '/metrics': null,
  '/api/session': null,
  '/api/activity': 'staff',
  '/api/alerts': 'viewer',
  '/api/audit': 'manager',
  '/api/board': 'viewer',
  '/api/bookings': 'viewer',
  '/api/bookings/{commandId}': 'viewer',
  '/api/car-writes/{commandId}': 'viewer',
  '/api/cars': 'viewer',
  '/api/cars/{id}': 'viewer',
  '/api/changes': 'viewer',
  '/api/erasures': 'manager',
  '/api/findings': 'viewer',
  '/api/holds': 'viewer',
  '/api/holds/{id}': 'viewer',
  '/api/inbox': 'viewer',
  '/api/inbox/{id}': 'viewer',
  '/api/intake': 'viewer',
  '/api/me': 'viewer',
  '/api/outbox': 'viewer',
  '/api/products': 'viewer',
  '/api/products/{id}': 'viewer',
  '/api/reservations': 'viewer',
  '/api/schedule': 'viewer',
  '/api/shifts': 'staff',
  '/api/reservations/{id}': 'viewer',
  '/api/reservations/{id}/assigned-car': 'viewer',
  '/api/reservations/{id}/photos/{hash}': 'staff',
  '/api/reservations/{id}/timeline': 'viewer',
  '/api/staff': 'viewer',
};
const roles = ['viewer', 'staff', 'manager'] as const;
const reads = Object.entries(weakest).flatMap(([path, role]) =>
  role === null
    ? []
    : [
        {
          path,
          role,
          url: (path === '/api/schedule' ? `${path}?from=2026-11-21T00:00:00Z&to=2026-11-22T00:00:00Z` : path)
            .replace('{hash}', 'a'.repeat(64))
            .replace(/\{\w+\}/, '8421'),
        },
      ],
);
const writes = [
  ['POST', '/api/reservations'],
  ['PUT', '/api/reservations/8421/dispatch/staff'],
  ['PUT', '/api/reservations/8421/dispatch/start'],
  ['POST', '/api/reservations/8421/dispatch/parkingImage'],
  ['POST', '/api/reservations/8421/dispatch/carImage'],
  ['PUT', '/api/reservations/8421/dispatch/complete'],
  ['PUT', '/api/reservations/8421/recall/staff'],
  ['POST', '/api/reservations/8421/recall/carImage'],
  ['PUT', '/api/reservations/8421/recall/complete'],
] as const;
const card = '/api/reservations/8421';
const resolve = `${card}/commands/c-1/resolve`;

/** What a reader is answered: of objects with an id only reservation 8421 exists; at status 10 its car is not shown yet. */
function answerTo(path: string): number {
  if (path.endsWith('/assigned-car')) return 409;
  if (path.endsWith('/{hash}')) return 404;
  return !path.includes('{') || path.startsWith('/api/reservations/') ? 200 : 404;
}

describe('without a token', () => {
  it.each([...reads.map(({ url }) => ['GET', url]), ...writes, ['POST', resolve]] as [string, string][])(
    '%s %s is 401',
    async (method, path) => {
      const { status, body, headers } = await api.ask(path, { method });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'TOKEN_MISSING' });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    },
  );
});

it.each(['Bearer stranger', 'Bearer viewer-token2', 'Bearer viewer-toke', 'Bearer VIEWER-TOKEN'])(
  'a wrong token (%s) is 401',
  async (authorization) => {
    const { status, body, text } = await api.ask('/api/reservations', { headers: { authorization } });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'TOKEN_INVALID' });
    expect(text).not.toContain(authorization.slice(7));
  },
);

it('another scheme than Bearer is 401', async () => {
  const { body } = await api.ask('/api/inbox', { headers: { authorization: 'Basic dXNlcjpwYXNz' } });
  expect(body.code).toBe('TOKEN_MISSING');
});

it('the expected roles are those of every GET path of the API document', async () => {
  const { paths } = (await api.ask('/docs/json')).body as { paths: Record<string, object> };
  const gets = Object.keys(paths).filter((path) => 'get' in (paths[path] ?? {}));
  expect(gets.sort()).toEqual(Object.keys(weakest).sort());
});

describe('a token reads what its role or a weaker one may', () => {
  it.each(reads)('$path: $role', async ({ path, role, url }) => {
    for (const as of roles) {
      const isAllowed = roles.indexOf(as) >= roles.indexOf(role);
      const { status } = await api.ask(url, { as });
      expect({ as, status }).toEqual({ as, status: isAllowed ? answerTo(path) : 403 });
    }
  });
});

describe('a viewer does not act', () => {
  it.each(writes)('%s %s is 403', async (method, path) => {
    const { status, body } = await api.ask(path, { method, as: 'viewer', key: 'k' });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'ROLE_NOT_ALLOWED' });
    expect(body.detail).toMatch(/staff token; yours is a viewer token/);
  });
});

describe('only a manager resolves', () => {
  const reason = 'the customer has the car';
  it.each([
    ['POST', resolve, { outcome: 'applied', reason }, 'resolveCommand', { commandId: 'c-1' }],
    [
      'POST',
      `${card}/attention/retrieve-car/resolve`,
      { reason },
      'resolveAttention',
      { kind: 'retrieve-car' },
    ],
    ['PUT', card, { status: 20, reason }, 'assertFacts', {}],
  ])('%s %s', async (method, path, json, name, more) => {
    const asStaff = await api.ask(path, { method, as: 'staff', key: 'k', json });
    expect({ status: asStaff.status, code: asStaff.body.code }).toEqual({
      status: 403,
      code: 'ROLE_NOT_ALLOWED',
    });
    const asManager = await api.ask(path, { method, as: 'manager', key: 'k', json });
    expect(asManager.status).toBe(200);
    expect(api.parts.settlements.at(-1)).toEqual({ name, input: { ...json, ...more, by: 'lee' } });
  });
});

describe('L60: personal data', () => {
  it('is null for viewers, all of it', async () => {
    const { text, body } = await api.ask('/api/reservations/8421', { as: 'viewer' });
    expect(text).not.toContain(personal);
    expect(body).toMatchObject({
      driver: null,
      companion: null,
      pickup: { address: null, memo: null },
      dispatch: { staff: null, parkingImage: { hash: null, outdated: false } },
      status: { code: 10 },
      car: { id: 12, number: '12가3456' },
    });
  });

  it('is shown to staff and managers', async () => {
    for (const as of ['staff', 'manager'] as const) {
      expect((await api.ask('/api/reservations/8421', { as })).body).toEqual(shownView(8421));
    }
  });

  it('the view for a viewer lacks nothing else, and both forms match the API document', () => {
    const view = visible(fullView(1), inEnglish);
    expect(Object.keys(withoutPersonalData(view))).toEqual(Object.keys(view));
    expect(reservation.parse(view)).toEqual(view);
    expect(reservation.parse(withoutPersonalData(view))).toEqual(withoutPersonalData(view));
  });
});

it('liveness, readiness, metrics and the document need no token', async () => {
  const open = Object.keys(weakest).filter((path) => weakest[path] === null);
  for (const path of [...open, '/docs/json']) {
    expect((await api.ask(path)).status).toBe(200);
  }
});
