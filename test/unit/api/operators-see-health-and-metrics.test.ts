import { Gauge } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fullView, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

it('the process is ready while every part answers', async () => {
  expect(await api.ask('/readyz')).toMatchObject({
    status: 200,
    body: { status: 'ready', checks: { database: 'ok' } },
  });
});

it('a part that fails or stays silent is named with 503; the process stays live', async () => {
  const probes = {
    database: async () => {},
    worker: async () => Promise.reject(new Error('gone')),
    temporal: () => new Promise<never>(() => {}),
  };
  const failing = await startApi({ probes });
  const { status, body } = await failing.ask('/readyz');
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'NOT_READY' });
  expect(body.checks).toEqual({ database: 'ok', worker: 'failing', temporal: 'failing' });
  expect((await failing.ask('/healthz')).body).toEqual({ status: 'ok' });
  await failing.close();
});

it('the intake needs only the database: it is ready without Temporal or a worker, and not without the database', async () => {
  const away = async () => Promise.reject(new Error('gone'));
  const outage = await startApi({ probes: { temporal: away, worker: away, database: async () => {} } });
  expect(await outage.ask('/readyz/intake')).toMatchObject({
    status: 200,
    body: { status: 'ready', checks: { database: 'ok' } },
  });
  expect((await outage.ask('/readyz')).status).toBe(503);
  await outage.close();
  const noDatabase = await startApi({ probes: { temporal: async () => {}, database: away } });
  const { status, body } = await noDatabase.ask('/readyz/intake');
  expect({ status, code: body.code, checks: body.checks }).toEqual({
    status: 503,
    code: 'NOT_READY',
    checks: { database: 'failing' },
  });
  await noDatabase.close();
});

it('a process that is about to stop is not ready at once, and serves each request on a connection that it closes', async () => {
  let isStopping = false;
  const stopping = await startApi({ isStopping: () => isStopping });
  expect((await stopping.ask('/readyz/intake')).status).toBe(200);
  isStopping = true;
  for (const path of ['/readyz', '/readyz/intake']) {
    const { status, body } = await stopping.ask(path);
    expect({ status, checks: body.checks }).toEqual({
      status: 503,
      checks: { database: 'ok', process: 'failing' },
    });
  }
  const served = await stopping.ask('/api/reservations', { as: 'staff' });
  expect({ status: served.status, connection: served.headers.get('connection') }).toEqual({
    status: 200,
    connection: 'close',
  });
  await stopping.close();
});

it('metrics show durations by route pattern, never an id; other parts add their own', async () => {
  api.parts.views.set(8421, fullView(8421));
  new Gauge({ name: 'handover_test_waiting', help: 'x', registers: [api.metrics.registry] }).set(3);
  await api.ask('/api/reservations/8421', { as: 'viewer' });
  await api.ask('/api/nothing/8421', { as: 'viewer' });
  const { text, type } = await api.ask('/metrics');
  expect(type).toMatch(/^text\/plain/);
  expect(text).toContain(
    'handover_http_request_seconds_count{method="GET",route="/api/reservations/:id",status="200"} 1',
  );
  expect(text).toContain('handover_http_request_seconds_count{method="GET",route="none",status="404"} 1');
  expect(text).toContain('handover_test_waiting 3');
  // in a label: a value may have these digits by chance
  expect(text).not.toMatch(/"[^"\n]*8421[^"\n]*"/);
});

it('no request is logged above debug, and no token is ever logged', async () => {
  await api.ask('/api/reservations', { as: 'staff' });
  await api.ask('/api/reservations/abc', { as: 'staff' });
  const lines = api.logged.map((line) => JSON.parse(line) as { level: number });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter(({ level }) => level > 20 && level !== 30)).toEqual([]);
  expect(api.logged.join()).not.toContain('staff-token');
});

it('the OpenAPI document lists every route of the public interface', async () => {
  const { body } = await api.ask('/docs/json');
  expect(body.openapi).toBe('3.1.0');
  expect(Object.keys(body.paths).toSorted()).toEqual([
    '/api/activity',
    '/api/alerts',
    '/api/audit',
    '/api/board',
    '/api/bookings',
    '/api/bookings/{commandId}',
    '/api/bookings/{commandId}/resolve',
    '/api/car-writes/{commandId}',
    '/api/cars',
    '/api/cars/{id}',
    '/api/cars/{id}/memos',
    '/api/changes',
    '/api/erasures',
    '/api/findings',
    '/api/findings/{id}/adopt',
    '/api/holds',
    '/api/holds/{id}',
    '/api/holds/{id}/resolve',
    '/api/inbox',
    '/api/inbox/replay',
    '/api/inbox/{id}',
    '/api/inbox/{id}/replay',
    '/api/intake',
    '/api/me',
    '/api/outbox',
    '/api/outbox/resend',
    '/api/outbox/{id}/resend',
    '/api/products',
    '/api/products/{id}',
    '/api/products/{id}/cars/{carId}/sale-status',
    '/api/reservations',
    '/api/reservations/search',
    '/api/reservations/{id}',
    '/api/reservations/{id}/assigned-car',
    '/api/reservations/{id}/attention/{kind}/claim',
    '/api/reservations/{id}/attention/{kind}/resolve',
    '/api/reservations/{id}/commands/{commandId}/resolve',
    '/api/reservations/{id}/dispatch/carImage',
    '/api/reservations/{id}/dispatch/complete',
    '/api/reservations/{id}/dispatch/parkingImage',
    '/api/reservations/{id}/dispatch/staff',
    '/api/reservations/{id}/dispatch/start',
    '/api/reservations/{id}/photos/{hash}',
    '/api/reservations/{id}/recall/carImage',
    '/api/reservations/{id}/recall/complete',
    '/api/reservations/{id}/recall/staff',
    '/api/reservations/{id}/timeline',
    '/api/schedule',
    '/api/session',
    '/api/shifts',
    '/api/staff',
    '/healthz',
    '/metrics',
    '/readyz',
    '/readyz/intake',
  ]);
  const booking = body.paths['/api/reservations'].post;
  expect(booking.requestBody.content['application/json'].schema.required).toContain('driver');
  expect(booking.responses['4XX'].content['application/problem+json'].schema).toEqual({
    $ref: '#/components/schemas/Problem',
  });
  expect(body.components.schemas.Problem.required).toContain('code');
  const photo = body.paths['/api/reservations/{id}/dispatch/parkingImage'].post;
  expect(photo.requestBody.content['multipart/form-data'].schema.properties.image.format).toBe('binary');
  expect((await api.ask('/docs/')).status).toBe(200);
});
