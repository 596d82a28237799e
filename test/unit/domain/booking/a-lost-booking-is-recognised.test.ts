import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Announcement, candidatesAmong, isAlike, judge } from '../../../../src/domain/booking/match.js';
import {
  type BookingCandidate,
  type BookingRequest,
  type BookingState,
  bookingStates,
} from '../../../../src/domain/booking/types.js';
import { timestamp } from '../../../../src/platform/profiles/codecs/timestamp.js';

const hour = 3_600_000;
const driver = {
  name: '김 하나',
  birth: '19900101',
  phone: '01012345678',
  licenseNumber: '11-22-333333-44',
  address: 'Seoul',
};
const request: BookingRequest = {
  productId: 7,
  startAt: Date.parse('2026-11-21T09:00:00+09:00'),
  endAt: Date.parse('2026-11-22T09:00:00+09:00'),
  pickupAddress: 'Station exit 3',
  driver,
};
function announced(reservationId: number, changes: Partial<Announcement> = {}): Announcement {
  const period = { start: request.startAt, end: request.endAt };
  return { reservationId, productId: 7, period, driver, car: { id: 1, number: '12가3456' }, ...changes };
}
const idsAmong = (...all: Announcement[]) =>
  candidatesAmong(request, all).map(({ reservationId }) => reservationId);

it('F32: a candidate is shown with its car, its period, and whether product and driver name it', () => {
  const candidate = {
    reservationId: 1,
    productFits: true,
    carNumber: '12가3456',
    startAt: request.startAt,
    endAt: request.endAt,
  };
  expect(candidatesAmong(request, [announced(1)])).toEqual([candidate]);
  const { productId: _, car: __, ...rest } = announced(1);
  expect(candidatesAmong(request, [rest])).toEqual([{ ...candidate, productFits: false, carNumber: null }]);
});

describe('F31: product, period and driver recognise a booking', () => {
  it('whatever its car, its number and its position among others', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 2, max: 1_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(ids, fc.nat(20), fc.integer(), (others, at, car) => {
        const noise = others.map((id) => announced(id, { productId: 8 + id }));
        const all = noise.toSpliced(at, 0, announced(1, { car: { id: car, number: null } }));
        expect(idsAmong(...all)).toEqual([1]);
      }),
    );
  });

  it.each<[string, Partial<Announcement>]>([
    ['another product', { productId: 8 }],
    ['another start', { period: { start: request.startAt + 1_000, end: request.endAt } }],
    ['another end', { period: { start: request.startAt, end: request.endAt + 1_000 } }],
    ['another name', { driver: { ...driver, name: '김 두나' } }],
    ['another birth', { driver: { ...driver, birth: '19900102' } }],
    ['another phone', { driver: { ...driver, phone: '01012345679' } }],
    ['another licence', { driver: { ...driver, licenseNumber: '11-22-333333-45' } }],
  ])('not where it names %s', (_what, changes) => {
    expect(idsAmong(announced(1, changes))).toEqual([]);
  });

  it('any one digit of the driver’s numbers distinguishes two drivers', () => {
    const field = fc.constantFrom('birth', 'phone', 'licenseNumber' as const);
    fc.assert(
      fc.property(field, fc.nat(20), fc.integer({ min: 1, max: 9 }), (name, at, by) => {
        const places = [...driver[name].matchAll(/\d/g)].map(({ index }) => index);
        const place = places[at % places.length] ?? 0;
        const other = String((Number(driver[name][place]) + by) % 10);
        const changed = driver[name].slice(0, place) + other + driver[name].slice(place + 1);
        expect(idsAmong(announced(1, { driver: { ...driver, [name]: changed } }))).toEqual([]);
      }),
    );
  });

  it.each([
    ['spaces and case', { ...driver, name: ' 김  하나 ', licenseNumber: '11 22 333333 44' }],
    ['hyphens in a phone number', { ...driver, phone: '010-1234-5678', licenseNumber: '112233333344' }],
    ['letters composed otherwise', { ...driver, name: '김 하나'.normalize('NFD') }],
    ['another address', { ...driver, address: 'Busan' }],
  ])('also where the platform writes the driver with %s', (_what, written) => {
    expect(idsAmong(announced(1, { driver: written }))).toEqual([1]);
  });

  it('a period is an instant, in whatever zone and form it was written', () => {
    const read = timestamp(0, ':');
    const forms = ['2026-11-21T00:00:00Z', '2026-11-21T09:00:00.000+0900', '2026-11-20T19:00:00.400-05:00'];
    for (const form of forms) {
      const period = { start: read.parse(form), end: request.endAt };
      expect(idsAmong(announced(1, { period }))).toEqual([1]);
    }
  });

  it('a callback that names no product is a candidate without a matching product', () => {
    const { productId: _, ...nameless } = announced(1);
    expect(candidatesAmong(request, [nameless])).toMatchObject([{ reservationId: 1, productFits: false }]);
    expect(candidatesAmong(request, [nameless, announced(1)])).toMatchObject([{ productFits: true }]);
  });

  it('a callback without period or driver is no candidate, and repeats count once', () => {
    const { period: _, ...withoutPeriod } = announced(1);
    const { driver: __, ...withoutDriver } = announced(1);
    expect(idsAmong(withoutPeriod)).toEqual([]);
    expect(idsAmong(withoutDriver)).toEqual([]);
    expect(idsAmong(announced(2), announced(1), announced(2))).toEqual([1, 2]);
  });

  it.each(['name', 'birth', 'phone', 'licenseNumber'] as const)(
    'a driver whose %s alone cannot be read is a candidate that a person decides about',
    (field) => {
      const unread = announced(1, { driver: { ...driver, [field]: null } });
      expect(candidatesAmong(request, [unread])).toMatchObject([{ reservationId: 1, productFits: false }]);
    },
  );

  it('of two callbacks about one reservation the first that names the product counts', () => {
    const named = (number: string | null) => announced(1, { car: { id: 1, number } });
    const { productId: _, ...nameless } = named('1');
    const carOf = (...all: Announcement[]) => candidatesAmong(request, all).map(({ carNumber }) => carNumber);
    expect(carOf(named('2'), named('3'))).toEqual(['2']);
    expect(carOf(nameless, named('2'))).toEqual(['2']);
    expect(carOf(named('2'), nameless)).toEqual(['2']);
    expect(carOf(nameless, { ...nameless, car: { id: 1, number: '4' } })).toEqual(['1']);
  });
});

describe('F33: bookings that only their answers distinguish', () => {
  it('two bookings are alike for the same driver, product and period, whatever the pickup address', () => {
    expect(isAlike(request, { ...request, pickupAddress: 'elsewhere', pickupMemo: 'x' })).toBe(true);
    expect(isAlike(request, { ...request, productId: 8 })).toBe(false);
    expect(isAlike(request, { ...request, startAt: request.startAt - hour })).toBe(false);
    expect(isAlike(request, { ...request, driver: { ...driver, phone: '0' } })).toBe(false);
  });

  it('alike is symmetric', () => {
    const near = fc.record({
      productId: fc.constantFrom(7, 8),
      startAt: fc.integer({ min: -1_500, max: 1_500 }).map((ms) => request.startAt + ms),
      phone: fc.constantFrom('01012345678', '010-1234-5678', '1'),
    });
    const made = ({ phone, ...rest }: { productId: number; startAt: number; phone: string }) => ({
      ...request,
      ...rest,
      driver: { ...driver, phone },
    });
    fc.assert(
      fc.property(near, near, (a, b) => {
        expect(isAlike(made(a), made(b))).toBe(isAlike(made(b), made(a)));
      }),
    );
  });
});

describe('F32, F33: the decision about candidates', () => {
  const candidate = (reservationId: number, productFits = true): BookingCandidate => ({
    reservationId,
    productFits,
    carNumber: null,
    startAt: 0,
    endAt: 1,
  });
  it.each<[string, BookingCandidate[], BookingState[], string]>([
    ['no candidate', [], [], 'none'],
    ['no candidate, beside another lost booking', [], ['unknown'], 'none'],
    ['one candidate', [candidate(1)], [], 'one'],
    ['two candidates', [candidate(1), candidate(2)], [], 'several'],
    ['one candidate, beside another lost booking', [candidate(1)], ['unknown'], 'several'],
    ['two candidates for two bookings', [candidate(1), candidate(2)], ['ambiguous'], 'several'],
    ['one candidate whose product is unknown', [candidate(1, false)], [], 'several'],
    ['one candidate, while an alike booking is being sent', [candidate(1)], ['out'], 'none'],
    [
      'two candidates, while an alike booking is being sent',
      [candidate(1), candidate(2)],
      ['unknown', 'out'],
      'none',
    ],
  ])('for %s', (_what, candidates, alike, kind) => {
    const judged = judge(candidates, alike);
    expect(judged.kind).toBe(kind);
    expect(judged.candidate).toEqual(kind === 'one' ? candidates[0] : undefined);
  });
});

it('the states of a booking are those that the database and the API have', () => {
  expect(bookingStates).toEqual(['out', 'unknown', 'ambiguous', 'applied', 'rejected']);
});
