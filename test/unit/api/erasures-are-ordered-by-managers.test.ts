import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DatabaseError } from '../../../src/store/connection/errors.js';
import type { Certificate } from '../../../src/store/erasure/certificates.js';
import { TooManyFoundError } from '../../../src/store/erasure/too-many-found.js';
import { fullView, personal, startApi, type TestApi } from '../../support/api.js';

const certificate: Certificate = {
  id: 7,
  at: Date.UTC(2026, 10, 23),
  by: 'lee',
  cause: 'reservation',
  reservations: [8421],
  bookings: ['b-1'],
  holds: null,
  counts: {
    reservations: 1,
    bookings: 1,
    holds: 0,
    keys: 3,
    photos: 2,
    bodies: 9,
    posts: 0,
    reasons: 4,
    payloads: 120,
    unreadable: 0,
  },
};
const shown = { ...certificate, id: undefined, certificateId: 7, at: '2026-11-23T09:00:00.000+09:00' };

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.parts.erased.length = 0;
  api.parts.audited.length = 0;
});

const erase = (json: object, as: 'staff' | 'manager' = 'manager') =>
  api.ask('/api/erasures', { method: 'POST', as, json });

it('a manager erases reservations, or a person, and gets the certificate and what was refused', async () => {
  const refused = [
    { reservationId: 9, code: 'RESERVATION_OPEN' as const, detail: 'close it' },
    { commandId: 'b-1', code: 'BOOKING_OPEN' as const, detail: 'resolve it' },
  ];
  api.parts.onErase = async () => ({ certificate, refused });
  const { status, body } = await erase({ reservations: [8421, 9] });
  expect(status).toBe(200);
  expect(body).toEqual(JSON.parse(JSON.stringify({ certificate: shown, refused })));
  await erase({ bookings: ['b-1'] });
  await erase({ driver: ' Hong Gil-dong ' });
  expect(api.parts.erased).toEqual([
    { reservations: [8421, 9], by: 'lee', cause: 'reservation' },
    { reservations: [], bookings: ['b-1'], by: 'lee', cause: 'reservation' },
    { driver: 'Hong Gil-dong', by: 'lee' },
  ]);
});

it('a dry run shows what would be erased, and erases nothing', async () => {
  const { status, body } = await erase({ driver: 'Hong', dryRun: true });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      certificate: null,
      refused: [],
      wouldErase: { reservations: [8421], bookings: ['b-1'], holds: [] },
    },
  });
  expect(api.parts.previewed).toEqual([{ driver: 'Hong' }]);
  expect(api.parts.erased).toEqual([]);
});

it.each([[{}], [{ reservations: [] }], [{ reservations: [1], driver: 'Hong' }], [{ driver: '  ' }]])(
  'an order without a clear subject is refused: %j',
  async (json) => {
    expect(await erase(json)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_BODY', detail: expect.stringMatching(/give either|reservations|driver/) },
    });
    expect(api.parts.erased).toEqual([]);
  },
);

it('a search that finds more than one erasure erases is refused, with what to search by instead', async () => {
  api.parts.onErase = () => Promise.reject(new TooManyFoundError(201));
  expect(await erase({ driver: 'Kim' })).toMatchObject({
    status: 409,
    body: {
      code: 'TOO_MANY_FOUND',
      detail: expect.stringMatching(/found 201 .* erases 200 at most.*phone or the licence.*ids/),
    },
  });
  // it names no reservation
  expect(api.parts.audited).toEqual([]);
});

it('no one else erases', async () => {
  expect(await erase({ reservations: [1] }, 'staff')).toMatchObject({ status: 403 });
  expect(api.parts.erased).toEqual([]);
});

it('certificates are listed', async () => {
  api.parts.certificates = [certificate];
  const { body } = await api.ask('/api/erasures', { as: 'manager' });
  expect(body.items).toEqual(JSON.parse(JSON.stringify([shown])));
});

const view = (id: number, changes: object) => api.parts.views.set(id, { ...fullView(id), ...changes });
const read = (id: number, as: 'viewer' | 'staff') => api.ask(`/api/reservations/${id}`, { as });

it('who reads personal data of a closed reservation is in the audit: staff, not viewers', async () => {
  view(1, { closed: true, marks: [] });
  view(2, { closed: false });
  view(3, { closed: true, marks: ['erased'] });
  await read(1, 'viewer');
  for (const id of [1, 2, 3]) expect((await read(id, 'staff')).status).toBe(200);
  expect(api.parts.audited).toMatchObject([
    { by: 'kim', action: 'reservation.read', subject: 'reservation/1', data: { reservationId: 1 } },
  ]);
});

it('so is who reads it by repeating a known action', async () => {
  view(1, { closed: true, marks: [] });
  api.parts.audited.length = 0;
  const path = '/api/reservations/1/dispatch/start';
  const repeat = () => api.ask(path, { method: 'PUT', as: 'staff', key: 'known', json: {} });
  expect((await repeat()).status).toBe(200);
  expect(api.parts.audited).toMatchObject([
    { by: 'kim', action: 'reservation.read', subject: 'reservation/1' },
  ]);
  const before = api.parts.onAudit;
  api.parts.onAudit = () => Promise.reject(new DatabaseError('DATABASE_SILENT', 'away'));
  const { status, text } = await repeat();
  api.parts.onAudit = before;
  expect(status).toBe(503);
  expect(text).not.toContain(personal);
});

it('so is who looks up whose reservations a person had', async () => {
  api.parts.audited.length = 0;
  await erase({ driver: 'Gil-dong Hong', dryRun: true });
  const recorded = () => api.parts.audited.map(({ action, subject }) => [action, subject]);
  expect(recorded()).toEqual([
    ['reservation.read', 'reservation/8421'],
    ['booking.read', 'booking/b-1'],
  ]);
  // what is open is refused, and names the person's reservation, booking or hold too
  api.parts.audited.length = 0;
  const refused = [
    { reservationId: 9, code: 'RESERVATION_OPEN' as const, detail: 'close it' },
    { commandId: 'b-9', code: 'BOOKING_OPEN' as const, detail: 'resolve it' },
    { holdId: 'h-9', code: 'HOLD_OPEN' as const, detail: 'release it' },
  ];
  api.parts.onErase = async () => ({ certificate: null, refused });
  await erase({ driver: 'Gil-dong Hong' });
  await erase({ reservations: [9] });
  expect(recorded()).toEqual([
    ['reservation.read', 'reservation/9'],
    ['booking.read', 'booking/b-9'],
    ['hold.read', 'hold/h-9'],
  ]);
  expect(JSON.stringify(api.parts.audited)).not.toContain('Hong');
});

it('without the entry nothing is shown', async () => {
  view(1, { closed: true, marks: [] });
  const before = api.parts.onAudit;
  api.parts.onAudit = () => Promise.reject(new DatabaseError('DATABASE_SILENT', 'away'));
  expect(await read(1, 'staff')).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } });
  api.parts.onAudit = before;
});
