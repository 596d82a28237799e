import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rfc3339Times } from '../../../src/contract/older-view.js';
import { fullView, startApi, type TestApi } from '../../support/api.js';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into
let document: any;
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  api.parts.views.set(8421, fullView(8421));
  document = (await api.ask('/docs/json')).body;
});
afterAll(() => api.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]) => ({ path, method, operation })),
  );

it('every operation has an id of its own, and every link names one', () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(ids.length);
  const linked = operations().flatMap(({ operation }) =>
    Object.values(operation.responses as Record<string, { links?: object }>).flatMap(({ links = {} }) =>
      Object.values(links).map((link) => link.operationId),
    ),
  );
  expect(ids).toEqual(expect.arrayContaining(linked));
});

it.each([
  ['/api/reservations', 'post', '201', 'getReservationsById'],
  ['/api/reservations', 'post', '202', 'getBookingsByCommandId'],
  ['/api/holds', 'post', '201', 'getHoldsById'],
  ['/api/cars/{id}/memos', 'post', '202', 'getCarWritesByCommandId'],
  ['/api/reservations/{id}/dispatch/start', 'put', '200', 'getReservationsByIdTimeline'],
])('%s %s %s links to %s, which reads the new object', (path, method, status, operationId) => {
  const links = Object.values(document.paths[path][method].responses[status].links);
  expect(links).toContainEqual(expect.objectContaining({ operationId }));
});

it('one schema describes every problem, with each member that a code may have', () => {
  const { required, properties, additionalProperties } = document.components.schemas.Problem;
  expect(required.toSorted()).toEqual(['code', 'detail', 'status', 'title', 'type']);
  expect(additionalProperties).toBe(false);
  for (const member of ['fields', 'overridable', 'platformCode', 'commandId', 'display', 'checks']) {
    expect(properties).toHaveProperty(member);
  }
  for (const { path, method, operation } of operations()) {
    if (path === '/metrics' || path === '/healthz') continue;
    const problem = operation.responses['4XX']?.content['application/problem+json'].schema;
    expect({ path, method, problem }).toMatchObject({ problem: { $ref: '#/components/schemas/Problem' } });
  }
});

describe('times', () => {
  it('are documented as RFC 3339, in requests and answers', () => {
    const list = document.paths['/api/reservations'].get;
    const from = list.parameters.find(({ name }: { name: string }) => name === 'from');
    expect(from.schema).toMatchObject({ type: 'string', format: 'date-time' });
    const { asOf } = list.responses['200'].content['application/json'].schema.properties;
    expect(asOf).toMatchObject({ type: 'string', format: 'date-time' });
  });

  it.each(['+0900', '%2B0900', '%2B09:00', 'Z'])('are read in every earlier form: %s', async (offset) => {
    const from = `2026-11-21T12:00:00${offset.replace('+', '%2B')}`;
    expect((await api.ask(`/api/reservations?from=${from}`, { as: 'viewer' })).status).toBe(200);
  });

  it('of views that 0.2.0 stored become RFC 3339, and nothing else changes', () => {
    const old = { at: '2026-11-21T12:00:00.000+0900', text: 'at 12:00+0900', list: [null, 1, { end: null }] };
    expect(rfc3339Times(old)).toEqual({ ...old, at: '2026-11-21T12:00:00.000+09:00' });
  });
});

describe('a method that a path does not accept is 405 with Allow', () => {
  it.each([
    ['QUERY', '/healthz', 'GET, HEAD'],
    ['QUERY', '/api/reservations/8421', 'GET, HEAD, PUT'],
    ['GET', '/api/inbox/replay', 'POST'],
    ['OPTIONS', '/api/inbox/replay', 'POST'],
  ])('%s %s', async (method, path, allow) => {
    const { status, headers } = await api.ask(path, { method, as: 'manager' });
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });
});

describe('text', () => {
  it.each(['%00', 'a%00b', '%20', '%01x'])('%s is refused as a plate to search for', async (text) => {
    const { status, body } = await api.ask(`/api/cars?carNumber=${text}`, { as: 'viewer' });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_QUERY' });
  });

  it('is counted in characters, as the document counts it', async () => {
    const resolve = (reason: string) =>
      api.ask('/api/reservations/8421/attention/handover-late/resolve', {
        ...({ method: 'POST', as: 'manager', key: 'k-1', json: { reason } } as const),
      });
    expect((await resolve('\u{1F697}'.repeat(501))).status).toBe(400);
    expect((await resolve('\u{1F697}'.repeat(500))).status).not.toBe(400);
  });
});
