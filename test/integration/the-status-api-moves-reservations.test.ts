import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BookingAttempt } from '../../src/contract/attempt.js';
import type { BookingStart } from '../../src/contract/booking.js';
import { temporalBookings } from '../../src/temporal/client/bookings/bookings.js';
import { temporalProbes } from '../../src/temporal/client/probes.js';
import { temporalReservations } from '../../src/temporal/client/reservations/reservations.js';
import { type Ask, startApi, type TestApi } from '../support/api.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { answering, httpPeer } from '../support/http-peer.js';
import { car, company, hour, policy, TestReservation } from '../support/reservations.js';
import { startTestWorker } from '../support/test-worker.js';

const taskQueue = 'the-status-api';
const bookings: BookingStart[] = [];
const bookingAnswers: (() => Promise<BookingAttempt>)[] = [];
const platform = new FakePlatform();
let engine: TestDevServer;
let api: TestApi;
let stopWorker: () => Promise<void>;

/** As after a closing before the database is read: the workflow still answers. */
const cases = {
  view: async () => undefined,
  decisionMarks: async () => [],
};

/** Shorter than the product's: a slow platform is slow within the time limit of a test. */
const within = { view: 3_000, update: 1_500, readAgain: 1_200 };

beforeAll(async () => {
  engine = await devServer();
  stopWorker = await startWorker();
  api = await startApi({
    reservations: temporalReservations(engine.client, {
      policy,
      cases,
      queue: taskQueue,
      within,
      inbox: { read: async () => ({ waiting: false, sent: false, dead: false, recorded: false }) },
      wakeRelay: () => {},
    }),
    bookings: temporalBookings(engine.client, {
      reads: platform.bookingStore.reads(),
      matchMs: 0,
      queue: taskQueue,
    }),
    probes: { ...temporalProbes(engine.client, taskQueue), database: async () => {} },
  });
});
afterAll(async () => {
  await api?.close();
  await stopWorker?.();
  await engine?.stop();
});

async function startWorker(): Promise<() => Promise<void>> {
  const activities = platform.activities();
  return startTestWorker({
    connection: engine.nativeConnection,
    namespace: engine.namespace,
    taskQueue,
    activities: {
      ...activities,
      book: async (start: BookingStart) => {
        bookings.push(start);
        return (bookingAnswers.shift() ?? bookedAnswer)();
      },
    },
  });
}

const bookedAnswer = async (): Promise<BookingAttempt> => ({
  outcome: 'applied',
  reservationId: 1,
  status: 'CONFIRMED',
  carNumber: '12가3456',
  pickupAt: Date.UTC(2026, 10, 21),
  returnAt: Date.UTC(2026, 10, 22),
});

let last = 70_000;
async function reservation(status = 5, changes: Partial<typeof policy> = {}): Promise<TestReservation> {
  last += 1;
  const now = async () => Date.now();
  const rental = new TestReservation(engine.client, now, taskQueue, last, {
    policy: { ...policy, ...changes },
  });
  const period = { start: Date.now() + hour, end: Date.now() + 2 * hour };
  await rental.deliver(rental.event({ status, period, car, company, driver }));
  await expect.poll(async () => (await rental.view()).status.code).toBe(status);
  return rental;
}
const driver = {
  name: 'A Driver',
  birth: '19900101',
  phone: '01012345678',
  licenseNumber: '1',
  address: 'Seoul',
};

const staffBody = { staffName: 'A Person', staffPhone: '01000000002' };
const override = { override: true, reason: 'done on the web site' };
const sendAction = ({ id }: TestReservation, action: string, ask: Ask = {}) =>
  api.ask(`/api/reservations/${id}/${action}`, { method: 'PUT', as: 'staff', key: randomUUID(), ...ask });

describe('staff actions', () => {
  it('an applied action is 200, and its status has the grade commanded', async () => {
    const rental = await reservation();
    const { status, body } = await sendAction(rental, 'dispatch/start', { json: override });
    expect(status).toBe(200);
    expect(body).toMatchObject({ reservationId: rental.id, status: { code: 10, grade: 'commanded' } });
  });

  it('L21: the same key acts once; with another body or action it is refused', async () => {
    const rental = await reservation();
    const key = randomUUID();
    const before = platform.attempts.length;
    const again = () => sendAction(rental, 'dispatch/staff', { key, json: staffBody });
    expect([(await again()).status, (await again()).status]).toEqual([200, 200]);
    const json = { ...staffBody, staffPhone: '01000000003' };
    const otherBody = await sendAction(rental, 'dispatch/staff', { key, json });
    const otherAction = await sendAction(rental, 'dispatch/start', { key });
    for (const { status, body } of [otherBody, otherAction]) {
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'COMMAND_ID_REUSED' });
    }
    expect(platform.attempts.length - before).toBe(1);
  });

  it('L20: an action that the status does not allow is 409, and states whether an override with a reason would send it', async () => {
    const { status, body } = await sendAction(await reservation(), 'recall/complete');
    expect({ status, code: body.code, overridable: body.overridable }).toEqual({
      status: 409,
      code: 'STATUS_BEHIND',
      overridable: true,
    });
  });

  it('L23: the platform’s refusal is 409 with its code and reason', async () => {
    const message = 'the reservation is at 15';
    platform.answers.push({ kind: 'refused', code: 'ILLEGAL_STATE', message, forState: true });
    const { status, body } = await sendAction(await reservation(), 'dispatch/start', { json: override });
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 409,
      code: 'ILLEGAL_STATE',
      detail:
        'The platform has another status (ILLEGAL_STATE). Read the reservation or schedule entry again, then decide.',
    });
  });

  it('an action on a slow platform is 202 with the command, and the same key returns its outcome', async () => {
    let answer = () => {};
    platform.answers.push(() => new Promise((resolve) => (answer = () => resolve({ kind: 'accepted' }))));
    const rental = await reservation();
    const key = randomUUID();
    const ask = { key, json: override };
    const first = await sendAction(rental, 'dispatch/start', ask);
    expect(first).toMatchObject({ status: 202, body: { commandId: key, outcome: 'out' } });
    answer();
    await expect.poll(async () => (await sendAction(rental, 'dispatch/start', ask)).status).toBe(200);
  });

  it('L24: an unknown outcome is 202, and a manager resolves it once', async () => {
    platform.answers.push({ kind: 'unknown', code: 'TIMEOUT' });
    const rental = await reservation();
    const key = randomUUID();
    const { status, body } = await sendAction(rental, 'dispatch/staff', { key, json: staffBody });
    expect({ status, outcome: body.outcome }).toEqual({ status: 202, outcome: 'unknown' });
    const resolve = (json: object, as: string = randomUUID()) =>
      api.ask(`/api/reservations/${rental.id}/commands/${key}/resolve`, {
        method: 'POST',
        as: 'manager',
        key: as,
        json,
      });
    const settlement = { outcome: 'applied', reason: 'seen on the web site' };
    const settled = await resolve(settlement, 'settlement-1');
    expect(settled.status).toBe(200);
    expect(await resolve(settlement, 'settlement-1')).toMatchObject({ status: 200, body: settled.body });
    expect(settled.body.commands).toMatchObject([
      { commandId: key, outcome: 'applied', settledBy: 'person' },
    ]);
    expect(await resolve({ outcome: 'rejected', reason: 'no' })).toMatchObject({
      status: 409,
      body: { code: 'COMMAND_SETTLED' },
    });
  });

  it('a closed reservation accepts no action and can still be read', async () => {
    const rental = await reservation(40, { settleMs: 1 });
    await rental.handle.result();
    expect(await sendAction(rental, 'dispatch/start')).toMatchObject({
      status: 409,
      body: { code: 'RESERVATION_TERMINAL' },
    });
    const read = await api.ask(`/api/reservations/${rental.id}`, { as: 'staff' });
    expect(read).toMatchObject({ status: 200, body: { status: { code: 40 }, closed: true } });
  });

  it('an unknown reservation is 404, for reads and actions', async () => {
    expect((await api.ask('/api/reservations/404404', { as: 'staff' })).body.code).toBe(
      'RESERVATION_NOT_FOUND',
    );
    const { body } = await api.ask('/api/reservations/404404/dispatch/start', {
      method: 'PUT',
      as: 'staff',
      key: 'k',
    });
    expect(body.code).toBe('RESERVATION_NOT_FOUND');
  });

  it('L60: ids and search attributes hold no personal data', async () => {
    const rental = await reservation();
    await sendAction(rental, 'dispatch/staff', { json: staffBody });
    const { events } = await rental.handle.fetchHistory();
    const accepted = events
      ?.map((event) => event.workflowExecutionUpdateAcceptedEventAttributes)
      .find(Boolean);
    expect(accepted?.protocolInstanceId).toMatch(/^[0-9a-f-]{36}\.[0-9a-f]{16}$/);
    const { searchAttributes } = (await rental.handle.describe()).raw.workflowExecutionInfo ?? {};
    const text = JSON.stringify(
      Object.values(searchAttributes?.indexedFields ?? {}).map(({ data }) => `${data}`),
    );
    for (const secret of [staffBody.staffName, staffBody.staffPhone, driver.name, driver.phone, car.number]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('the decisions of a manager', () => {
  const put = (id: number, json: object) =>
    api.ask(`/api/reservations/${id}`, { method: 'PUT', as: 'manager', key: randomUUID(), json });

  it('an unannounced reservation is adopted by an assertion; a later callback is observed', async () => {
    last += 1;
    const [startAt, endAt] = ['2030-01-01T09:00:00.000+09:00', '2030-01-02T09:00:00.000+09:00'];
    const adopted = await put(last, { status: 10, carId: 12, startAt, endAt, reason: 'agreed by phone' });
    expect(adopted).toMatchObject({
      status: 200,
      body: { status: { code: 10, grade: 'asserted' }, car: { id: 12 }, registered: false },
    });
    const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, last);
    await rental.deliver(rental.event({ channel: 'status', status: 10 }));
    await expect.poll(async () => (await rental.view()).status.grade).toBe('observed');
  });

  it('L21: a key that was used for an assertion is refused with another body', async () => {
    const rental = await reservation();
    const key = randomUUID();
    const assert = (carId: number) =>
      api.ask(`/api/reservations/${rental.id}`, {
        method: 'PUT',
        as: 'manager',
        key,
        json: { carId, reason: 'seen on the lot' },
      });
    expect(await assert(12)).toMatchObject({ status: 200, body: { car: { id: 12 } } });
    expect((await assert(12)).status).toBe(200);
    expect(await assert(13)).toMatchObject({ status: 409, body: { code: 'COMMAND_ID_REUSED' } });
    expect((await rental.view()).car).toMatchObject({ id: 12 });
  });

  it('L28: the physical task of a cancelled reservation stays open until a person resolves it', async () => {
    const rental = await reservation(10);
    const period = { start: Date.now() + hour, end: Date.now() + 2 * hour };
    await rental.deliver(rental.event({ status: 40, period, car, company }));
    const kinds = async () => (await rental.view()).attention.map(({ kind }) => kind);
    await expect.poll(kinds).toContain('retrieve-car');
    const path = `/api/reservations/${rental.id}/attention/retrieve-car/resolve`;
    const resolve = () =>
      api.ask(path, { method: 'POST', as: 'manager', key: randomUUID(), json: { reason: 'it is back' } });
    expect((await resolve()).status).toBe(200);
    expect(await kinds()).not.toContain('retrieve-car');
    expect(await resolve()).toMatchObject({ status: 404, body: { code: 'ATTENTION_NOT_FOUND' } });
  });

  it('an assertion without a fact, or with half a period, is refused and starts no workflow', async () => {
    last += 1;
    expect(await put(last, { reason: 'r' })).toMatchObject({
      status: 400,
      body: { code: 'NOTHING_ASSERTED' },
    });
    const half = await put(last, { startAt: '2030-01-01T09:00:00+09:00', reason: 'r' });
    expect(half).toMatchObject({ status: 409, body: { code: 'PERIOD_INCOMPLETE' } });
    expect((await api.ask(`/api/reservations/${last}`, { as: 'viewer' })).status).toBe(404);
  });
});

describe('booking', () => {
  const json = {
    productId: 7,
    startAt: '2026-11-21T09:00:00+09:00',
    endAt: '2026-11-22T09:00:00+09:00',
    pickupAddress: '1 Sejong-daero',
    driver,
  };
  const book = (key: string, changes = {}) =>
    api.ask('/api/reservations', { method: 'POST', as: 'staff', key, json: { ...json, ...changes } });

  it('L21: the same key books once and gets the first answer; with another body it is refused', async () => {
    const key = randomUUID();
    const before = bookings.length;
    const first = await book(key);
    const again = await book(key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await book(key, { productId: 8 })).toMatchObject({
      status: 409,
      body: { code: 'COMMAND_ID_REUSED' },
    });
    expect(bookings.length - before).toBe(1);
  });

  it('a refused booking is 409 with the platform’s code, an unknown one is 202', async () => {
    bookingAnswers.push(async () => ({
      outcome: 'rejected',
      code: 'NO_AVAILABILITY',
      message: 'no car is free',
    }));
    expect(await book(randomUUID())).toMatchObject({
      status: 409,
      body: {
        code: 'NO_AVAILABILITY',
        detail: 'No car is available then (NO_AVAILABILITY). Choose another period or product.',
      },
    });
    bookingAnswers.push(async () => ({ outcome: 'unknown', code: 'TIMEOUT' }));
    expect(await book(randomUUID())).toMatchObject({
      status: 202,
      body: { outcome: 'unknown', code: 'TIMEOUT' },
    });
  });
});

it('L62: the address of a parking photo is shown and never requested', async () => {
  const photos = await httpPeer(answering(200));
  const rental = await reservation();
  const imageUrl = `${photos.url}/parking.jpg`;
  await rental.deliver(rental.event({ status: 10, parking: { imageUrl } }));
  await expect.poll(async () => (await rental.view()).parking.imageUrl).toBe(imageUrl);
  const { body } = await sendAction(rental, 'dispatch/complete', { json: override });
  expect(body).toMatchObject({ status: { code: 15 }, parking: { imageUrl } });
  expect((await api.ask(`/api/reservations/${rental.id}`, { as: 'staff' })).status).toBe(200);
  expect(photos.requests).toEqual([]);
});

it('the API is ready while a worker polls; without a worker a read is 503 in time', async () => {
  const rental = await reservation();
  expect((await api.ask('/readyz')).body).toMatchObject({ checks: { temporal: 'ok', worker: 'ok' } });
  await stopWorker();
  const { status, body } = await api.ask(`/api/reservations/${rental.id}`, { as: 'staff' });
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'ENGINE_UNAVAILABLE' });
  const action = await sendAction(rental, 'dispatch/start', { json: override });
  expect({ status: action.status, code: action.body.code }).toEqual({
    status: 503,
    code: 'ENGINE_UNAVAILABLE',
  });
  stopWorker = await startWorker();
  await expect
    .poll(async () => (await api.ask(`/api/reservations/${rental.id}`, { as: 'staff' })).status)
    .toBe(200);
});
