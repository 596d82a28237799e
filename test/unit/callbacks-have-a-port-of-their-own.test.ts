import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { createCallbackServer } from '../../src/api/callbacks/server.js';
import { loadConfig } from '../../src/app/config/index.js';
import { createMetrics } from '../../src/app/metrics/process.js';
import { receiver } from '../../src/inbox/receive/receiver.js';
import { startApi } from '../support/api.js';
import { callbackSecret, pathOf, signedHeaders, statusBody, wire } from '../support/callbacks.js';
import { contentHashes } from '../support/intake.js';

let close = async () => {};
afterEach(() => close());

async function start(probe: () => Promise<unknown> = async () => {}, isStopping = () => false) {
  const stored: string[] = [];
  const app = await createCallbackServer({
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    probe,
    isStopping,
    intake: (scope) =>
      receiver(scope, {
        wire,
        contentHashes,
        inbox: { store: async ({ eventId }) => void stored.push(eventId), isFull: () => false },
        authentication: { auth: 'standard-webhooks', secrets: [callbackSecret] },
      }),
  });
  close = () => app.close();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, stored };
}

it('the port serves callbacks and their readiness, and nothing else', async () => {
  const { url, stored } = await start();
  const body = statusBody(8421, 10);
  const headers = signedHeaders(body, { id: 'msg_1' });
  expect((await fetch(url + pathOf('status'), { method: 'POST', body, headers })).status).toBe(204);
  expect(stored).toEqual(['msg_1']);
  expect((await fetch(`${url}/readyz/intake`)).status).toBe(200);
  for (const path of [
    '/docs',
    '/metrics',
    '/codec/token/decode',
    '/api/reservations',
    '/readyz',
    '/healthz',
  ]) {
    const answer = await fetch(url + path);
    expect([path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      path,
      404,
      'ROUTE_NOT_FOUND',
    ]);
  }
});

it('the port is ready while the database answers and the process does not stop', async () => {
  const down = await start(async () => {
    throw new Error('the database is down');
  });
  expect((await fetch(`${down.url}/readyz/intake`)).status).toBe(503);
  await close();
  const stopping = await start(undefined, () => true);
  expect((await fetch(`${stopping.url}/readyz/intake`)).status).toBe(503);
});

it('a callback that comes to the port of the status API is refused with the name of the setting', async () => {
  const api = await startApi({ callbacksElsewhere: Object.values(wire.paths) });
  try {
    for (const path of [pathOf('status'), `/a-secret${pathOf('status')}`]) {
      const { status, body } = await api.ask(path, { method: 'POST', json: {} });
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'ROUTE_NOT_FOUND' });
      expect(body.detail).toContain('CALLBACK_PORT');
    }
  } finally {
    await api.close();
  }
});

it('CALLBACK_PORT is refused where another listener has it', () => {
  expect(loadConfig({}).callbacks.port).toBeUndefined();
  expect(loadConfig({ CALLBACK_PORT: '8082' }).callbacks.port).toBe(8082);
  expect(() => loadConfig({ CALLBACK_PORT: '8080' })).toThrow('as HANDOVER_PORT is');
});
