import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiver } from '../../../src/inbox/receive/receiver.js';
import { startApi, type TestApi } from '../../support/api.js';
import {
  aReservation,
  callbackSecret,
  pathOf,
  reservationBody,
  signedHeaders,
  wire,
} from '../../support/callbacks.js';
import { contentHashes } from '../../support/intake.js';

const stored: string[] = [];
let api: TestApi;
beforeEach(async () => {
  stored.length = 0;
  const inbox = {
    store: async ({ raw }: { raw: Buffer }) => void stored.push(raw.toString()),
    isFull: () => false,
  };
  const authentication = { auth: 'standard-webhooks', secrets: [callbackSecret] } as const;
  api = await startApi({ intake: (app) => receiver(app, { wire, contentHashes, authentication, inbox }) });
});
afterEach(() => api.close());

const body = `${reservationBody('registration', aReservation(8421))}\n`;
const path = pathOf('registration');

it('a callback needs no token, and its bytes arrive as they were signed', async () => {
  const { status } = await api.ask(path, { method: 'POST', body, headers: signedHeaders(body) });
  expect(status).toBe(204);
  expect(stored).toEqual([body]);
});

it('a callback whose signature does not hold is 401 and not stored', async () => {
  const headers = signedHeaders(`${body} `);
  const { status, body: problem } = await api.ask(path, { method: 'POST', body, headers });
  expect({ status, code: problem.code }).toEqual({ status: 401, code: 'SIGNATURE_MISMATCH' });
  expect(stored).toEqual([]);
});

it('a callback path with a wrong method is 405, and the rest of the API stays strict about content types', async () => {
  expect(await api.ask(path)).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
  const ask = {
    method: 'POST',
    as: 'staff',
    key: 'k',
    body: 'a',
    headers: { 'content-type': 'text/plain' },
  } as const;
  expect((await api.ask('/api/reservations', ask)).status).toBe(415);
});

it('the callback paths stand in the OpenAPI document', async () => {
  const { paths } = (await api.ask('/docs/json')).body;
  for (const callback of Object.values(wire.paths)) expect(Object.keys(paths)).toContain(callback);
});

it('personal data of a callback reaches no log line', async () => {
  const { driverName, driverPhone, driverLicenseNumber } = aReservation(8421);
  await api.ask(path, { method: 'POST', body, headers: signedHeaders(body) });
  await api.ask(path, { method: 'POST', body, headers: {} });
  for (const secret of [driverPhone, driverLicenseNumber, `"${driverName}"`]) {
    expect(api.logged.join()).not.toContain(secret);
  }
});
