import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BookingDetail } from '../../../src/store/bookings/reads.js';
import { DatabaseError } from '../../../src/store/connection/errors.js';
import { fullView, personal, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());
beforeEach(() => {
  api.parts.bookingDetails.clear();
  api.parts.settlements.length = 0;
  api.parts.filters.length = 0;
});

const open: BookingDetail = {
  commandId: 'b-1',
  state: 'ambiguous',
  by: 'channel-1',
  productId: 3,
  startAt: Date.UTC(2026, 10, 21),
  endAt: Date.UTC(2026, 10, 22),
  createdAt: Date.UTC(2026, 10, 20),
  code: 'TIMEOUT',
  reservationId: null,
  status: null,
  settledBy: null,
  settledAt: null,
  candidates: [
    {
      reservationId: 8421,
      productFits: true,
      carNumber: '12가3456',
      startAt: Date.UTC(2026, 10, 21),
      endAt: 1,
    },
  ],
  alike: 1,
  request: {
    productId: 3,
    startAt: Date.UTC(2026, 10, 21),
    endAt: Date.UTC(2026, 10, 22),
    pickupAddress: personal,
    driver: { name: personal, birth: personal, phone: personal, licenseNumber: personal, address: personal },
    companionInfo: { name: personal },
  },
  message: personal,
};
const keep = (changes: Partial<BookingDetail> = {}) =>
  api.parts.bookingDetails.set('b-1', { ...open, ...changes });
const resolve = (json: unknown, ask: { as?: 'staff' | 'manager'; key?: string } = {}) =>
  api.ask('/api/bookings/b-1/resolve', { method: 'POST', as: 'manager', key: 'r-1', ...ask, json });
const applied = { outcome: 'applied', reservationId: 8421, reason: 'compared on the web site' };

describe('F35: the outcomes of bookings', () => {
  it('bookings are listed by state, newest first, without their requests', async () => {
    keep();
    const { status, body, text } = await api.ask('/api/bookings?state=ambiguous&limit=5', { as: 'viewer' });
    expect(status).toBe(200);
    expect(api.parts.filters).toEqual([{ state: 'ambiguous', limit: 5 }]);
    expect(body.items).toMatchObject([
      {
        commandId: 'b-1',
        state: 'ambiguous',
        period: { start: '2026-11-21T09:00:00.000+09:00', end: '2026-11-22T09:00:00.000+09:00' },
        settledAt: null,
      },
    ]);
    expect(text).not.toContain(personal);
    expect(body.asOf).toMatch(/\+09:00$/);
  });

  it('F39: one booking is shown with its candidates; its request is null for viewers', async () => {
    keep();
    const viewer = await api.ask('/api/bookings/b-1', { as: 'viewer' });
    expect(viewer.body).toMatchObject({
      candidates: [{ reservationId: 8421, carNumber: '12가3456' }],
      alike: 1,
      request: null,
      message: null,
    });
    expect(viewer.text).not.toContain(personal);
    const staff = await api.ask('/api/bookings/b-1', { as: 'staff' });
    expect(staff.body).toMatchObject({ request: { driver: { name: personal } }, message: personal });
  });

  it('L60: who reads personal data of a booking that is over is in the audit: staff, not viewers', async () => {
    keep({ settledAt: Date.UTC(2026, 10, 22), request: null });
    api.parts.audited.length = 0;
    await api.ask('/api/bookings/b-1', { as: 'viewer' });
    expect((await api.ask('/api/bookings/b-1', { as: 'staff' })).status).toBe(200);
    keep({ settledAt: Date.UTC(2026, 10, 22), request: null, message: null });
    await api.ask('/api/bookings/b-1', { as: 'staff' });
    expect(api.parts.audited).toMatchObject([{ by: 'kim', action: 'booking.read', subject: 'booking/b-1' }]);
  });

  it('L60: so is who reads it by repeating its resolution, or the request of a booking that was refused', async () => {
    keep({ settledAt: Date.UTC(2026, 10, 22), request: null });
    api.parts.audited.length = 0;
    expect((await resolve(applied)).body).toMatchObject({ message: personal });
    const refused = { outcome: 'rejected', code: 'DRIVER_REFUSED', message: personal } as const;
    const before = [api.parts.onBook, api.parts.onAudit] as const;
    api.parts.onBook = async () => refused;
    const { companionInfo: _, ...json } = {
      ...open.request,
      driver: { ...open.request?.driver, birth: '19900101', phone: '01012345678' },
      startAt: '2026-11-21T09:00:00+09:00',
      endAt: '2026-11-22T09:00:00+09:00',
    };
    const request = () => api.ask('/api/reservations', { method: 'POST', as: 'staff', key: 'b-2', json });
    expect((await request()).text).toContain(personal);
    expect(api.parts.audited).toMatchObject([
      { by: 'lee', action: 'booking.read', subject: 'booking/b-1' },
      { by: 'kim', action: 'booking.read', subject: 'booking/b-2' },
    ]);
    api.parts.onAudit = () => Promise.reject(new DatabaseError('DATABASE_SILENT', 'away'));
    for (const { status, text } of [await request(), await resolve(applied)]) {
      expect(status).toBe(503);
      expect(text).not.toContain(personal);
    }
    [api.parts.onBook, api.parts.onAudit] = before;
  });

  it('a manager resolves a booking in their name, under the id of the request', async () => {
    keep();
    expect((await resolve(applied)).status).toBe(200);
    expect(api.parts.settlements).toEqual([
      { commandId: 'b-1', input: { ...applied, by: 'lee', settlementId: 'r-1' } },
    ]);
    expect(await resolve(applied, { as: 'staff' })).toMatchObject({
      status: 403,
      body: { code: 'ROLE_NOT_ALLOWED' },
    });
  });

  it.each([
    ['no reservation', { outcome: 'applied', reason: 'x' }, 'reservationId'],
    ['a reservation that is none', { ...applied, reservationId: 0 }, 'reservationId'],
    ['a reservation of one that was not made', { ...applied, outcome: 'rejected' }, ''],
    ['an unknown outcome', { outcome: 'unknown', reason: 'x' }, 'outcome'],
    ['no reason', { outcome: 'rejected' }, 'reason'],
    ['blanks for a reason', { outcome: 'rejected', reason: '  ' }, 'reason'],
  ])('%s is refused', async (_what, json, field) => {
    keep();
    const { status, body } = await resolve(json);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_BODY' });
    expect(body.fields.map((one: { field: string }) => one.field)).toContain(field);
    expect(api.parts.settlements).toEqual([]);
  });

  it('a resolution with a reservation for another product is refused', async () => {
    keep({ productId: 4 });
    api.parts.views.set(8421, fullView(8421));
    expect(await resolve(applied)).toMatchObject({ status: 409, body: { code: 'BOOKING_DIFFERS' } });
    expect(api.parts.settlements).toEqual([]);
  });

  it.each(['BOOKING_ON_ITS_WAY', 'BOOKING_SETTLED', 'RESERVATION_CLAIMED'] as const)(
    'the refusal %s is 409',
    async (code) => {
      keep();
      api.parts.onResolveBooking = async () => ({ kind: 'refused', refusal: { code, message: 'because' } });
      expect(await resolve({ outcome: 'rejected', reason: 'x' })).toMatchObject({
        status: 409,
        body: { code, detail: 'because' },
      });
    },
  );

  it.each([
    ['/api/bookings/b-2', {}, 404, 'BOOKING_NOT_FOUND'],
    ['/api/bookings/a%20b', {}, 400, 'INVALID_ID'],
    ['/api/bookings?state=lost', {}, 400, 'INVALID_QUERY'],
    ['/api/bookings?cursor=x', {}, 400, 'INVALID_QUERY'],
  ])('%s is a coded problem', async (path, ask, status, code) => {
    expect(await api.ask(path, { as: 'viewer', ...ask })).toMatchObject({ status, body: { code } });
  });
});

it('G26: without a channel key a booking is refused at once', async () => {
  const { fleet } = api.parts.deps();
  const supplier = await startApi({ fleet: { ...fleet, roles: ['supplier'] } });
  try {
    const json = {
      productId: 3,
      startAt: '2026-11-21T09:00:00+09:00',
      endAt: '2026-11-22T09:00:00+09:00',
      pickupAddress: 'x',
      driver: { name: 'A', birth: '19900101', phone: '01012345678', licenseNumber: '1', address: 'Seoul' },
    };
    const ask = { method: 'POST', as: 'staff', key: 'b-9', json } as const;
    const { status, body } = await supplier.ask('/api/reservations', ask);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'ROLE_OFF' });
    expect(body.detail).toContain('PLATFORM_CHANNEL_API_KEY');
    expect(supplier.parts.bookings).toEqual([]);
  } finally {
    await supplier.close();
  }
});
