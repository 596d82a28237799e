import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Reservation } from '../../src/platform/model.js';
import { timestamp } from '../../src/platform/profiles/codecs/timestamp.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import * as some from '../support/wire-arbitraries.js';

const { operations, callbacks } = defaultProfile;
const moment = timestamp(540, '');

const jsonBody = (name: 'book' | 'dispatchStaff' | 'dispatchComplete') => {
  const { body } = operations[name];
  if (body.kind !== 'json') throw new Error('expected a JSON body');
  return body.schema as z.ZodType;
};

/** The places that a schema refuses, by their dotted names. */
const refusedAt = (schema: z.ZodType, wire: unknown): string[] =>
  (schema.safeDecode(wire as never).error?.issues ?? []).map(({ path }) => path.join('.'));

const booking = {
  productId: 1,
  startAt: '2026-11-21T09:00:00+09:00',
  endAt: '2026-11-22T09:00:00+09:00',
  pickupAddress: '서울역',
  driver: { name: '김', birth: '19900228', phone: '01012345678', licenseNumber: '11-22', address: '서울' },
};

describe('timestamps', () => {
  it('are written in the format of the specification, in the zone of the service', () => {
    expect(z.encode(moment, Date.UTC(2026, 10, 21, 0, 0, 0, 7))).toBe('2026-11-21T09:00:00.007+0900');
    expect(z.encode(timestamp(-210, ':'), 0)).toBe('1969-12-31T20:30:00.000-03:30');
  });

  it('are read with +0900, +09:00 and Z, with a fraction of any length or none', () => {
    const same = Date.UTC(2026, 10, 21, 0, 0, 0, 120);
    for (const text of [
      '2026-11-21T09:00:00.120+0900',
      '2026-11-21T09:00:00.12+09:00',
      '2026-11-21T00:00:00.120Z',
      '2026-11-20T19:30:00.120999-0430',
    ])
      expect(z.decode(moment, text)).toBe(same);
    expect(z.decode(moment, '2026-11-21T00:00:00Z')).toBe(same - 120);
  });

  it.each([
    '2026-11-21T09:00:00.000',
    '2026-11-21',
    '2026-11-21 09:00:00.000+0900',
    '2026-02-30T09:00:00.000+0900',
    '2025-02-29T09:00:00.000Z',
    '2026-13-01T09:00:00.000Z',
    '2026-11-21T24:00:00.000Z',
    '2026-11-21T23:59:60.000Z',
    '2026-11-21T09:00:00.000+0960',
    '2026-11-21T09:00:00.000+2400',
    '2026-11-21T09:00:00.000+09',
    'x2026-11-21T09:00:00.000Z',
    '',
  ])('%s is refused', (text) => {
    expect(moment.safeDecode(text).success).toBe(false);
  });

  it('a moment that is not a whole number, or beyond what the format can hold, is not written', () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15, -8.64e15])
      expect(moment.safeEncode(value).success).toBe(false);
  });

  it('only a real day is read, whatever the year', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9998 }), fc.integer({ min: 29, max: 31 }), (year, day) => {
        const exists = new Date(Date.UTC(2000, 2, 0)).setUTCFullYear(year, 1, day);
        const real = new Date(exists).getUTCMonth() === 1;
        const text = `${String(year).padStart(4, '0')}-02-${day}T00:00:00.000Z`;
        expect(moment.safeDecode(text).success).toBe(real);
      }),
    );
  });
});

describe('ids', () => {
  it('an id above 2^53-1 is refused, not rounded', () => {
    const body = (id: string) => JSON.parse(`{"reservationId":${id},"reservationStatus":10}`);
    expect(callbacks.decode('status', body('9007199254740991'))).toMatchObject({
      reservationId: 2 ** 53 - 1,
    });
    for (const id of ['9007199254740992', '9007199254740993', '1e30', '1.5', '"7"', 'null'])
      expect(() => callbacks.decode('status', body(id)), id).toThrow(z.ZodError);
  });

  it('an id above 2^53-1 in a path is refused', () => {
    expect(z.decode(operations.getCar.params, { id: '9007199254740991' })).toEqual({ id: 2 ** 53 - 1 });
    for (const id of ['9007199254740993', '1e3', '0x10', '007', '1.0', ' 7', ''])
      expect(refusedAt(operations.getCar.params, { id }), id).toEqual(['id']);
  });
});

describe('requests', () => {
  it('L61: phones are digits only', () => {
    const schema = jsonBody('dispatchStaff');
    expect(refusedAt(schema, { staffName: 'a', staffPhone: '01012345678' })).toEqual([]);
    for (const staffPhone of ['010-1234-5678', '+8210', '', '０１０', 1012345678])
      expect(refusedAt(schema, { staffName: 'a', staffPhone })).toEqual(['staffPhone']);
  });

  it('L61: a birth date is YYYYMMDD and exists', () => {
    const schema = jsonBody('book');
    expect(refusedAt(schema, booking)).toEqual([]);
    for (const birth of ['1990-02-28', '19900230', '19901301', '900228', '', 19900228])
      expect(refusedAt(schema, { ...booking, driver: { ...booking.driver, birth } })).toEqual([
        'driver.birth',
      ]);
    expect(refusedAt(schema, { ...booking, companionInfo: { birth: '20250229', phone: '1-2' } })).toEqual([
      'companionInfo.phone',
      'companionInfo.birth',
    ]);
  });

  it('L61: the same is refused on the way out, before anything leaves', () => {
    const value = { ...booking, startAt: 0, endAt: 1, driver: { ...booking.driver, phone: '010-1' } };
    expect(
      jsonBody('book')
        .safeEncode(value)
        .error?.issues.map(({ path }) => path.join('.')),
    ).toEqual(['driver.phone']);
  });

  it('every problem is reported at once, with its place and never with its value', () => {
    const { error } = jsonBody('book').safeDecode({
      ...booking,
      productId: '1',
      pickupAddress: ' ',
      driver: {},
    });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'productId',
      'pickupAddress',
      'driver.name',
      'driver.birth',
      'driver.phone',
      'driver.licenseNumber',
      'driver.address',
    ]);
    const message = jsonBody('dispatchStaff').safeDecode({ staffName: 'Kim', staffPhone: '010-9999' }).error
      ?.message;
    expect(message).not.toMatch(/Kim|9999/);
  });

  it('G14: a parking lot type is 0 or 1', () => {
    const schema = jsonBody('dispatchComplete');
    expect(refusedAt(schema, {})).toEqual([]);
    expect(refusedAt(schema, { parkingLotType: 2 })).toEqual(['parkingLotType']);
  });

  it('G18: the dates of a schedule query are days that exist', () => {
    const { query } = operations.listSchedules;
    expect(refusedAt(query, { startDate: '2026-02-28', endDate: '2028-02-29' })).toEqual([]);
    expect(refusedAt(query, { startDate: '2026-02-30', endDate: '20260301' })).toEqual([
      'startDate',
      'endDate',
    ]);
    expect(refusedAt(query, {})).toEqual(['startDate', 'endDate']);
  });
});

describe('callbacks', () => {
  const wireOf = (reservation: Reservation) =>
    callbacks.encode({ kind: 'update', reservation }) as Record<string, unknown>;
  const [sample] = fc.sample(some.reservation, { numRuns: 1, seed: 7 });
  if (!sample) throw new Error('no sample');

  it('L61: phone and birth date stay as they came', () => {
    const raw = {
      driverPhone: '010-1234',
      driverBirth: '90.2.30',
      companionInfo: { phone: '+82 10', birth: '?' },
    };
    expect(callbacks.decode('update', { ...wireOf(sample), ...raw })).toMatchObject({ reservation: raw });
  });

  it('L11: any integer is a status', () => {
    for (const reservationStatus of [0, 7, 99, -1])
      expect(callbacks.decode('update', { ...wireOf(sample), reservationStatus })).toMatchObject({
        reservation: { reservationStatus },
      });
    expect(() => callbacks.decode('update', { ...wireOf(sample), reservationStatus: '15' })).toThrow(
      z.ZodError,
    );
  });

  it('unknown fields are ignored', () => {
    const plain = callbacks.decode('update', wireOf(sample));
    expect(callbacks.decode('update', { ...wireOf(sample), somethingNew: { a: 1 } })).toEqual(plain);
  });

  it('null in an optional field reads as absent', () => {
    const { pickupMemo, companionInfo, drivingStartAt, ...rest } = sample;
    const nulls = { pickupMemo: null, companionInfo: null, drivingStartAt: null };
    expect(callbacks.decode('update', { ...wireOf(rest), ...nulls })).toEqual({
      kind: 'update',
      reservation: rest,
    });
  });

  it('L63: a missing required field makes the event unreadable, and the error names it', () => {
    const required = ['reservationId', 'reservationStatus', 'carId', 'startAt', 'endAt'];
    for (const field of required) {
      const { [field]: _gone, ...rest } = wireOf(sample);
      for (const wire of [rest, { ...rest, [field]: null }])
        expect(() => callbacks.decode('registration', wire)).toThrow(field);
    }
    for (const body of [undefined, null, [], 'text', 7])
      expect(() => callbacks.decode('registration', body)).toThrow(z.ZodError);
  });

  it('a car or status event needs no changedAt and no previous car', () => {
    expect(callbacks.decode('car', { reservationId: 1, carId: 2, carNumber: '12가' })).toEqual({
      kind: 'car',
      reservationId: 1,
      carId: 2,
      carNumber: '12가',
    });
    expect(callbacks.decode('status', { reservationId: 1, reservationStatus: 15 })).toEqual({
      kind: 'status',
      reservationId: 1,
      reservationStatus: 15,
    });
  });
});
