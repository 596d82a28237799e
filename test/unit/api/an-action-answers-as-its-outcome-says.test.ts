import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actions, type CommandState, type Refusal } from '../../../src/domain/reservation/index.js';
import { EngineUnavailableError } from '../../../src/temporal/connection/unavailable.js';
import { commandView, fullView, shownView, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
  api.parts.views.set(8421, fullView(8421));
});
afterEach(() => api.close());

const bodies: Partial<Record<string, unknown>> = {
  'dispatch.staff': { staffName: 'A Person', staffPhone: '01000000002' },
  'recall.staff': { staffName: 'A Person', staffPhone: '01000000002' },
  'dispatch.complete': { parkingMemo: 'B2', parkingLotType: 1 },
};
const jsonActions = actions.filter((action) => !action.endsWith('Image'));
const start = () =>
  api.ask('/api/reservations/8421/dispatch/start', { method: 'PUT', as: 'staff', key: 'c-7' });

it.each(jsonActions)('%s: applied is 200 with the reservation; the key is the command id', async (action) => {
  const json = bodies[action] ?? {};
  const path = `/api/reservations/8421/${action.replace('.', '/')}`;
  const { status, body } = await api.ask(path, { method: 'PUT', as: 'staff', key: 'c-7', json });
  expect(status).toBe(200);
  expect(body).toEqual(shownView(8421));
  expect(api.parts.acts).toEqual([
    { id: 8421, command: { commandId: 'c-7', action, body: json, by: 'kim' } },
  ]);
});

it('L20, L27: an override is passed with its reason, apart from the body', async () => {
  const json = { parkingMemo: 'B2', override: true, reason: 'done on the web site' };
  await api.ask('/api/reservations/8421/dispatch/complete', { method: 'PUT', as: 'staff', key: 'c', json });
  expect(api.parts.acts[0]?.command).toEqual({
    commandId: 'c',
    action: 'dispatch.complete',
    body: { parkingMemo: 'B2' },
    by: 'kim',
    override: { reason: 'done on the web site' },
  });
});

it('an action without a body is accepted with a content type or without', async () => {
  const headers = { 'content-type': 'application/json' };
  expect((await start()).status).toBe(200);
  const named = await api.ask('/api/reservations/8421/recall/complete', {
    method: 'PUT',
    as: 'staff',
    key: 'c',
    headers,
  });
  expect(named.status).toBe(200);
});

const open: CommandState[] = ['queued', 'out', 'waiting', 'suspended', 'unknown'];
it.each(open)('L24: an outcome that is not known (%s) is 202 with the command', async (outcome) => {
  const command = commandView({ commandId: 'c-7', outcome });
  api.parts.onAct = async () => ({ kind: 'answered', command, reservation: fullView(8421) });
  const { status, body } = await start();
  expect(status).toBe(202);
  expect(body).toEqual(command);
});

it('L23: the platform’s refusal is 409 with its code, and its sentence by the code', async () => {
  const command = commandView({ outcome: 'rejected', code: 'ILLEGAL_STATE', message: 'the status is 15' });
  api.parts.onAct = async () => ({ kind: 'answered', command, reservation: fullView(8421) });
  const { status, body } = await start();
  expect({ status, code: body.code, detail: body.detail }).toEqual({
    status: 409,
    code: 'ILLEGAL_STATE',
    detail:
      'The platform has another status (ILLEGAL_STATE). Read the reservation or schedule entry again, then decide.',
  });
});

it('a refusal with an unlisted code is REFUSED and shows that code beside it', async () => {
  const command = commandView({ outcome: 'rejected', code: 'toString', message: null });
  api.parts.onAct = async () => ({ kind: 'answered', command, reservation: fullView(8421) });
  const { status, body } = await start();
  expect({ status, code: body.code, platformCode: body.platformCode }).toEqual({
    status: 409,
    code: 'REFUSED',
    platformCode: 'toString',
  });
});

const refusals: [Refusal['code'], number][] = [
  ['ACTION_NOT_ALLOWED', 409],
  ['STATUS_BEHIND', 409],
  ['OUT_OF_ORDER', 409],
  ['RESERVATION_TERMINAL', 409],
  ['ROLE_OFF', 409],
  ['COMMAND_ID_REUSED', 409],
  ['COMMAND_NOT_FOUND', 404],
  ['COMMAND_SETTLED', 409],
];
it.each(refusals)('L20, L21: the refusal %s is %d with its sentence', async (code, expected) => {
  const refusal = { code, message: 'a sentence for the person', overridable: code === 'STATUS_BEHIND' };
  api.parts.onAct = async () => ({ kind: 'refused', refusal });
  const { status, body } = await start();
  expect({ status, code: body.code, detail: body.detail }).toEqual({
    status: expected,
    code,
    detail: 'a sentence for the person',
  });
  expect(body.overridable).toBe(refusal.overridable);
});

it('an unknown reservation is 404', async () => {
  api.parts.onAct = async () => ({ kind: 'no-reservation' });
  expect((await start()).body.code).toBe('RESERVATION_NOT_FOUND');
});

it('an unavailable Temporal is 503 with Retry-After, and the text states that a repeat with the key is safe', async () => {
  api.parts.onAct = async () => {
    throw new EngineUnavailableError('DEADLINE_EXCEEDED');
  };
  const { status, body, headers } = await start();
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'ENGINE_UNAVAILABLE' });
  expect(headers.get('retry-after')).toBe('2');
  expect(body.detail).toContain('Idempotency-Key');
});

describe('a settlement', () => {
  const settle = (path: string, method: string, json: object) =>
    api.ask(`/api/reservations/8421${path}`, { method, as: 'manager', key: 'k', json });

  it('L24: as rejected is 200 for the manager', async () => {
    const json = { outcome: 'rejected', reason: 'no car was there' };
    expect((await settle('/commands/c-1/resolve', 'POST', json)).status).toBe(200);
  });

  it.each([
    ['INVALID_BODY', '', 'PUT', { status: 99, reason: 'r' }],
    ['INVALID_BODY', '', 'PUT', { carId: 0, reason: 'r' }],
    ['INVALID_BODY', '', 'PUT', { startAt: '2026-11-21T09:00:00', reason: 'r' }],
    ['INVALID_BODY', '', 'PUT', { status: 20 }],
    ['INVALID_ID', '/attention/nonsense/resolve', 'POST', { reason: 'r' }],
    ['INVALID_BODY', '/attention/conflict/resolve', 'POST', { reason: '  ' }],
  ])('that is invalid is %s and states what would be valid: %s %s %j', async (code, path, method, json) => {
    const { status, body } = await settle(path, method, json);
    expect({ status, code: body.code }).toEqual({ status: 400, code });
    expect(body.detail).toMatch(/expected/);
    expect(api.parts.settlements).toEqual([]);
  });

  it('that the reservation refuses is answered with its code', async () => {
    const refusal = { code: 'ATTENTION_NOT_FOUND', message: 'There is none.', overridable: false } as const;
    api.parts.onSettle = async () => ({ kind: 'refused', refusal });
    const { status, body } = await settle('/attention/conflict/resolve', 'POST', { reason: 'r' });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'ATTENTION_NOT_FOUND' });
  });
});

describe('booking', () => {
  const json = {
    productId: 7,
    startAt: '2026-11-21T09:00:00+09:00',
    endAt: '2026-11-21T01:00:00.250Z',
    pickupAddress: '1 Sejong-daero',
    driver: { name: 'A', birth: '19900101', phone: '01012345678', licenseNumber: '1', address: 'Seoul' },
  };
  const book = () => api.ask('/api/reservations', { method: 'POST', as: 'staff', key: 'b-1', json });

  it('201 with the platform’s answer, moments in the service’s zone', async () => {
    const { status, body, headers } = await book();
    expect(status).toBe(201);
    expect(body).toEqual({
      reservationId: 8421,
      status: 'CONFIRMED',
      carNumber: '12가3456',
      pickupAt: '2026-11-21T09:00:00.000+09:00',
      returnAt: '2026-11-22T09:00:00.000+09:00',
      settledBy: 'answer',
    });
    expect(headers.get('location')).toBe('/api/reservations/8421');
  });

  it('the body arrives as instants, under the caller’s command id and name', async () => {
    await book();
    const request = { ...json, startAt: Date.UTC(2026, 10, 21), endAt: Date.UTC(2026, 10, 21, 1, 0, 0, 250) };
    expect(api.parts.bookings).toEqual([{ commandId: 'b-1', by: 'kim', request }]);
  });

  it.each([
    ['NO_AVAILABILITY', 409, 'No car is available then (NO_AVAILABILITY). Choose another period or product.'],
    ['INVALID_REQUEST', 409, 'The platform refuses a value (INVALID_REQUEST). Correct the request.'],
    ['INVALID_INPUT', 409, 'no'],
    ['ROLE_OFF', 409, 'no'],
  ])('the platform’s refusal %s is %d', async (code, expected, detail) => {
    api.parts.onBook = async () => ({ outcome: 'rejected', code, message: 'no' });
    const { status, body } = await book();
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: expected,
      code,
      detail,
    });
  });

  it('L24: an unknown outcome is 202, and so is a booking on its way', async () => {
    api.parts.onBook = async () => ({ outcome: 'unknown', code: 'TIMEOUT' });
    expect(await book()).toMatchObject({
      status: 202,
      body: { commandId: 'b-1', outcome: 'unknown', code: 'TIMEOUT' },
    });
    api.parts.onBook = async () => ({ outcome: 'pending' });
    const { status, body, headers } = await book();
    expect({ status, body }).toMatchObject({ status: 202, body: { outcome: 'out' } });
    expect(headers.get('location')).toBe('/api/bookings/b-1');
  });

  it('F35: a booking that a person resolved as not made has its own code, and the id of the booking', async () => {
    const end = { outcome: 'rejected', code: 'BOOKING_NOT_MADE', message: 'x', settledBy: 'person' } as const;
    api.parts.onBook = async () => end;
    expect(await book()).toMatchObject({
      status: 409,
      body: { code: 'BOOKING_NOT_MADE', commandId: 'b-1' },
    });
  });

  it('L21: the same key with another body is refused', async () => {
    api.parts.onBook = async () => ({ outcome: 'reused' });
    expect(await book()).toMatchObject({ status: 409, body: { code: 'COMMAND_ID_REUSED' } });
  });
});
