import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import { type ReceivedCallback, startReceiver } from '../support/callback-receiver.js';
import { eventually } from '../support/eventually.js';
import { Deployment, type Ready, type Run, readJson } from '../support/process.js';

/**
 * `handover up` as it is installed, the sandbox as its platform, and a receiver of alerts that is down at first. One test
 * continues where the one before stopped.
 */
let deployment: Deployment;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let run: Run;
let at: Ready;
/** What the receiver took, in its order. */
const taken: ReceivedCallback[] = [];
let answer: (post: ReceivedCallback) => number | null = () => 503;

beforeAll(async () => {
  receiver = await startReceiver((post) => {
    const status = answer(post);
    if (status === 204) taken.push(post);
    return status;
  });
  deployment = await Deployment.create();
  await start();
}, 150_000);
afterAll(async () => {
  await deployment?.remove();
  await receiver?.close();
});

async function start(): Promise<void> {
  run = deployment.run(['up', '--no-demo'], {
    ALERT_URL: `${receiver.url}/hook`,
    HANDOVER_KEY_PROBE: 'PT1S',
  });
  at = await run.ready();
}

async function send(base: string, method: string, path: string, json?: unknown, headers = {}) {
  const response = await fetch(base + path, {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}
const control = (method: string, path: string, json?: unknown) =>
  send(at.sandbox, method, `/sandbox${path}`, json);
const secrets = () => JSON.parse(readFileSync(join(deployment.dataDir, 'secrets.json'), 'utf8'));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

let slots = 0;
const minute = 60_000;
async function booked(
  startAt = Date.now() + 24 * 60 * minute + slots++ * 120 * minute,
  lastsMs = 60 * minute,
) {
  const body = {
    productId: 302,
    startAt: new Date(startAt).toISOString(),
    endAt: new Date(startAt + lastsMs).toISOString(),
    pickupAddress: 'PERSONAL',
    driver: {
      name: 'PERSONAL',
      birth: '19900131',
      phone: '01000001234',
      licenseNumber: '00-00-000000-00',
      address: 'PERSONAL',
    },
  };
  const key = secrets().sandboxKeys.channel;
  const { reservationId } = await send(at.sandbox, 'POST', '/reservations', body, bearer(key));
  await eventually('its workflow is there', () => view(reservationId).catch(() => undefined), 30_000);
  return reservationId as number;
}
const view = (id: number) => readJson<ReservationView>(`${at.api}/api/reservations/${id}`, at.tokens.staff);
const alerts = async (query = '') =>
  (
    await readJson<{ items: { kind: string; subject: string }[] }>(
      `${at.api}/api/alerts${query}`,
      at.tokens.viewer,
    )
  ).items;
const assignStaff = (id: number, key: string) =>
  send(
    at.api,
    'PUT',
    `/api/reservations/${id}/dispatch/staff`,
    { staffName: 'PERSONAL', staffPhone: '01000000002' },
    { ...bearer(at.tokens.staff), 'idempotency-key': key },
  );
/** Requests that reached the platform. */
const asked = async () =>
  ((await control('GET', '/journal?limit=500')).items as { kind: string; operation: string }[]).filter(
    ({ kind }) => kind === 'request',
  );

it('L30: a refused key raises one alert, only probes of the key are sent, and all actions continue by themselves', async () => {
  const ids = [await booked(), await booked(), await booked()];
  await control('PUT', '/faults', {
    calls: [{ operation: '*', times: 10_000, effect: { kind: 'refuse', code: 'UNAUTHORIZED' } }],
  });
  for (const [i, id] of ids.entries()) {
    expect(await assignStaff(id, `command-${i}`)).toMatchObject({ outcome: 'suspended' });
  }
  await eventually('operations are alerted', async () => (await alerts()).length === 1);
  expect(await alerts()).toMatchObject([{ kind: 'role-suspended', subject: 'supplier' }]);

  await control('DELETE', '/journal');
  await eventually('the key was tried three times', async () => (await asked()).length >= 3, 20_000);
  expect(new Set((await asked()).map(({ operation }) => operation))).toEqual(new Set(['listCars']));
  expect(await alerts('?state=all')).toHaveLength(1);

  await control('DELETE', '/faults');
  for (const id of ids) {
    await eventually('it continues', async () => (await view(id)).commands[0]?.outcome === 'applied', 20_000);
    const once = { operation: 'dispatchStaff', reservationId: id, times: 1, effect: 'applied' };
    expect(await control('POST', '/journal/assert', once)).toMatchObject({ pass: true });
  }
  expect(await alerts()).toEqual([]);
  expect(await alerts('?state=all')).toMatchObject([{ subject: 'supplier', clearedAt: expect.any(String) }]);
}, 120_000);

it('posts that were made while the receiver was down arrive, signed and in order', async () => {
  expect(receiver.received.length).toBeGreaterThan(0);
  expect(taken).toEqual([]);
  answer = () => 204;
  await eventually('both came', () => taken.length >= 2, 90_000);
  expect(taken.map(({ body }) => [body.type, body.kind, body.subject])).toEqual([
    ['alert.raised', 'role-suspended', 'supplier'],
    ['alert.cleared', 'role-suspended', 'supplier'],
  ]);
  for (const { raw, headers, path } of taken) {
    expect(path).toBe('/hook');
    new Webhook(secrets().alertSecret).verify(raw, headers as Record<string, string>);
  }
}, 120_000);

it('L43: a late return is posted, posted again under the same id after a SIGKILL, and its end is posted', async () => {
  const id = await booked(Date.now() + 1_500, 6_000);
  const key = secrets().sandboxKeys.supplier;
  for (const step of ['start', 'complete']) {
    await send(at.sandbox, 'PUT', `/developer/v1/reservation/${id}/dispatch/${step}`, undefined, bearer(key));
  }
  await control('POST', `/reservations/${id}/start-use`);
  const isRaise = ({ body }: ReceivedCallback) =>
    body.type === 'attention.raised' && body.kind === 'return-late';
  const raises = () => receiver.of(id).filter(isRaise);
  // the receiver has it, and its answer never comes
  answer = (post) => (isRaise(post) ? null : 204);
  await eventually('the late return is posted', () => raises().length > 0, 60_000);
  await run.kill();
  answer = () => 204;
  await start();
  await eventually('it is posted again', () => taken.some(isRaise), 60_000);
  expect(new Set(raises().map(({ headers }) => headers['webhook-id'])).size).toBe(1);

  await control('POST', `/reservations/${id}/return`);
  const postsOfIt = () => taken.filter(({ body }) => body.reservationId === id);
  await eventually(
    'that it is over is posted',
    () => postsOfIt().some(({ body }) => body.type === 'attention.cleared' && body.kind === 'return-late'),
    60_000,
  );
  for (const { raw, headers } of postsOfIt()) {
    new Webhook(secrets().alertSecret).verify(raw, headers as Record<string, string>);
    expect(raw).not.toContain('PERSONAL');
  }
  const late = postsOfIt().filter(({ body }) => body.kind === 'return-late');
  expect(late.map(({ body }) => body.type)).toEqual(['attention.raised', 'attention.cleared']);
  expect(late[1]?.body).toMatchObject({
    since: late[0]?.body.since,
    message: expect.stringContaining(String(id)),
  });
}, 200_000);

it('the metrics show that nothing waits', async () => {
  await eventually('nothing waits', async () => {
    const text = await (await fetch(`${at.api}/metrics`)).text();
    return (
      /^handover_outbox_waiting_posts 0$/m.test(text) &&
      /^handover_outbox_oldest_waiting_seconds 0$/m.test(text)
    );
  });
  expect(deployment.log()).not.toContain('PERSONAL');
});
