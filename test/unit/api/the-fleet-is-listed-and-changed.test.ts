import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { carDetail, carList, carWrite, memoWritten, saleStatus } from '../../../src/api/cars/schemas.js';
import { productDetail, productList } from '../../../src/api/products/schemas.js';
import { assignedCar } from '../../../src/api/reservations/assigned-car-schema.js';
import { fullView, personal, startApi, type TestApi } from '../../support/api.js';
import { aCar, aMemo, aProduct } from '../../support/fake-fleet.js';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const minute = 60_000;
/** As the API document says, and nothing beside it. */
const documented = <T extends z.ZodObject>(schema: T, body: unknown) =>
  expect(schema.strict().parse(body)).toEqual(body);
const problemOf = async (path: string, ask: Parameters<TestApi['ask']>[1]) => {
  const { status, body } = await api.ask(path, ask);
  return { status, code: body.code };
};

describe('products', () => {
  it('are listed by ascending id, in pages, with their age in body and header', async () => {
    api.parts.fleet.products.push(aProduct(300));
    const first = await api.ask('/api/products?limit=2', { as: 'staff' });
    documented(productList, first.body);
    expect(first.body.items.map(({ productId }: { productId: number }) => productId)).toEqual([300, 301]);
    expect(first.body).toMatchObject({
      nextCursor: '301',
      asOf: '2026-11-21T12:00:00.000+09:00',
      ageSeconds: 0,
      staleBecause: null,
    });
    api.parts.fleet.now += 30_500;
    const next = await api.ask('/api/products?limit=2&cursor=301', { as: 'staff' });
    expect(next.body.items).toMatchObject([{ productId: 302, basicSectionFareInfo: { baseFare: 1_000 } }]);
    expect({ ...next.body, age: next.headers.get('age') }).toMatchObject({
      nextCursor: null,
      asOf: '2026-11-21T12:00:00.000+09:00',
      ageSeconds: 30,
      age: '30',
    });
    expect(api.parts.fleet.asked).toEqual(['listProducts {} supplier']);
  });

  it('F90: show an unreadable field as null, and count products without an id', async () => {
    const { products } = api.parts.fleet;
    products.push(
      { ...aProduct(303), productName: null, basicSectionFareInfo: null, modifiedAt: null } as never,
      { ...aProduct(304), productId: null } as never,
      { ...aProduct(305), productApproveStatus: null } as never,
    );
    const all = await api.ask('/api/products', { as: 'staff' });
    documented(productList, all.body);
    expect(all.body).toMatchObject({
      unreadable: 1,
      items: [{}, {}, { productId: 303, productName: null }, {}],
    });
    // F25: it is not known whether it is approved
    const shown = await api.ask('/api/products?as=channel', { as: 'staff' });
    expect(shown.body.items.map(({ productId }: { productId: number }) => productId)).toEqual([301, 303]);
    const one = await api.ask('/api/products/305?as=channel', { as: 'staff' });
    expect(one).toMatchObject({ status: 502, body: { code: 'PLATFORM_UNREADABLE' } });
    api.parts.fleet.cars.push({ ...aCar(1004), vin: null, carOptionList: null } as never);
    documented(carList, (await api.ask('/api/cars', { as: 'staff' })).body);
  });

  it('are filtered by the platform, a fare plan by its own path', async () => {
    await api.ask('/api/products?productApproveStatus=0&productName=A&detailModelName=B', { as: 'viewer' });
    const { body } = await api.ask('/api/products?fareId=8&productApproveStatus=1', { as: 'viewer' });
    expect(api.parts.fleet.asked).toEqual([
      'listProducts {"productApproveStatus":0,"productName":"A","detailModelName":"B"} supplier',
      'listProductsOfFare 8 supplier',
    ]);
    expect(body.items).toEqual([]);
    const named = await api.ask('/api/products?fareId=8&productName=none+of+these', { as: 'viewer' });
    expect(named.body.items).toEqual([]);
  });

  it('are shown with fares, options and cars', async () => {
    const { body } = await api.ask('/api/products/301', { as: 'staff' });
    documented(productDetail, body);
    expect(body).toMatchObject({
      productId: 301,
      productCarOptionList: [{ optionName: 'navigation', selectedYn: 'Y' }],
      cars: [{ carId: 1001, saleYn: 'Y' }],
    });
    expect(await problemOf('/api/products/9', { as: 'staff' })).toEqual({
      status: 404,
      code: 'PRODUCT_NOT_FOUND',
    });
  });

  it('F25: are shown to a channel only if they are approved', async () => {
    const { body } = await api.ask('/api/products?as=channel', { as: 'staff' });
    expect(body.items).toMatchObject([{ productId: 301 }]);
    expect(api.parts.fleet.asked).toEqual(['listProducts {"productApproveStatus":1} channel']);
    const ofFare = await api.ask('/api/products?as=channel&fareId=8', { as: 'staff' });
    expect(ofFare.body.items).toEqual([]);
    expect((await api.ask('/api/products/301?as=channel', { as: 'staff' })).status).toBe(200);
    expect((await api.ask('/api/products/302', { as: 'staff' })).status).toBe(200);
    expect(await problemOf('/api/products/302?as=channel', { as: 'staff' })).toEqual({
      status: 404,
      code: 'PRODUCT_NOT_FOUND',
    });
    const awaiting = await api.ask('/api/products?as=channel&productApproveStatus=0', { as: 'staff' });
    expect(awaiting.body.items).toEqual([]);
    api.parts.fleet.roles.splice(0, 2, 'channel');
    expect((await api.ask('/api/products/302', { as: 'staff' })).status).toBe(404);
  });
});

describe('cars', () => {
  it('are listed by the filters of the platform, by ascending id', async () => {
    const query = 'carNumber=12%EA%B0%801001&businessLicenseId=11&carTypeFuelCd=4&deviceEquipYn=Y';
    const { body } = await api.ask(`/api/cars?${query}`, { as: 'staff' });
    documented(carList, body);
    expect(body.items.map(({ carId }: { carId: number }) => carId)).toEqual([1001, 1002, 1003]);
    expect(api.parts.fleet.asked[0]).toContain(
      '{"carNumber":"12가1001","businessLicenseId":11,"carTypeFuelCd":4,"deviceEquipYn":"Y"}',
    );
  });

  const noon = Date.UTC(2026, 10, 21, 3);
  const rental = (reservationId: number, status: number, start: number) => ({
    reservationId,
    status,
    carId: 1001,
    companyId: 11,
    attention: [],
    carNumber: null,
    next: null,
    owners: {},
    closed: false,
    period: { start, end: start + 60 * minute },
  });

  it('F26: are shown with today’s schedule, the present reservation, and memos', async () => {
    const { fleet } = api.parts;
    const entry = { scheduleId: 5, carId: 1001, startAt: noon, endAt: noon + minute };
    fleet.schedules = [
      {
        carId: 1001,
        carNumber: '12가1001',
        detailModelName: 'A Model',
        schedules: [
          { ...entry, scheduleType: 'S', reason: personal },
          { ...entry, scheduleId: 6, scheduleType: 'R', reason: 'reservation' },
        ],
      },
    ];
    fleet.memos.push(...Array.from({ length: 103 }, (_, index) => aMemo(index + 1, 1001)));
    // fake lists are read at midnight UTC
    const midnight = Date.UTC(2026, 10, 21);
    api.parts.listed = [
      rental(1, 5, midnight),
      rental(2, 25, midnight - 90 * minute),
      rental(3, 35, midnight),
    ];
    api.parts.listedHolds = [
      {
        holdId: 'h-1',
        carId: 1001,
        state: 'active',
        open: true,
        withdrawFromSale: false,
        reservationId: null,
        createdAt: noon,
        endedAt: null,
        attention: [],
        period: { start: noon, end: noon + minute },
      },
    ];
    const { body } = await api.ask('/api/cars/1001', { as: 'staff' });
    documented(carDetail, body);
    expect(api.parts.filters).toContainEqual({ carId: 1001, open: true, limit: 100 });
    expect(body).toMatchObject({
      carId: 1001,
      holds: [{ holdId: 'h-1', state: 'active', period: { start: '2026-11-21T12:00:00.000+09:00' } }],
      schedule: [{ scheduleId: 5, reason: personal }, { scheduleId: 6 }],
      currentReservation: { reservationId: 2, status: { code: 25, name: 'return delayed' } },
      missing: [],
    });
    expect(body.memos).toHaveLength(100);
    expect(body.memos[0]).toMatchObject({ memoId: 103, content: personal, writerName: personal });
    api.parts.listed = [rental(3, 35, midnight), rental(1, 5, midnight)];
    const due = await api.ask('/api/cars/1001', { as: 'staff' });
    expect(due.body.currentReservation).toMatchObject({ reservationId: 1 });
    api.parts.listed = [rental(1, 5, noon)];
    expect((await api.ask('/api/cars/1001', { as: 'staff' })).body.currentReservation).toBeNull();
  });

  it('L60: show texts of persons and their names as null to viewers', async () => {
    const { fleet } = api.parts;
    fleet.memos.push(aMemo(1, 1001));
    const entry = { scheduleId: 5, carId: 1001, startAt: noon, endAt: noon + minute };
    const group = { carId: 1001, carNumber: '12가1001', detailModelName: 'A Model' };
    fleet.schedules = [{ ...group, schedules: [{ ...entry, scheduleType: 'S', reason: personal }] }];
    for (const path of ['/api/cars/1001', '/api/cars', '/api/products', '/api/products/301']) {
      const { text, status } = await api.ask(path, { as: 'viewer' });
      expect(status).toBe(200);
      expect(text).not.toContain(personal);
    }
    const { body } = await api.ask('/api/cars/1001', { as: 'viewer' });
    documented(carDetail, body);
    expect(body.memos).toMatchObject([{ memoId: 1, content: null, writerName: null }]);
  });

  it('F26: name a part that cannot be read, and show the others', async () => {
    api.parts.fleet.failing.set('listCarMemos', { code: 'TIMEOUT' });
    const { status, body } = await api.ask('/api/cars/1001', { as: 'staff' });
    documented(carDetail, body);
    expect({ status, memos: body.memos, schedule: body.schedule, missing: body.missing }).toEqual({
      status: 200,
      memos: null,
      schedule: [],
      missing: [{ part: 'memos', code: 'TIMEOUT' }],
    });
  });

  it('F26: are shown to a channel without schedule and memos', async () => {
    const { body } = await api.ask('/api/cars/1001?as=channel', { as: 'staff' });
    expect(body).toMatchObject({ carId: 1001, schedule: null, holds: null, memos: null, missing: [] });
    expect(api.parts.fleet.asked).toEqual(['getCar 1001 channel']);
  });
});

describe('F24: a platform that cannot be read', () => {
  it('gives the last answer with its age and the reason, for a quarter of an hour; then 503', async () => {
    const { fleet } = api.parts;
    await api.ask('/api/products/301', { as: 'staff' });
    fleet.now += 2 * minute;
    fleet.failing.set('getProduct', { code: 'UNREACHABLE' });
    const { status, body } = await api.ask('/api/products/301', { as: 'staff' });
    expect({ status, ageSeconds: body.ageSeconds, staleBecause: body.staleBecause }).toEqual({
      status: 200,
      ageSeconds: 120,
      staleBecause: 'UNREACHABLE',
    });
    fleet.now += 13 * minute;
    const gone = await api.ask('/api/products/301', { as: 'staff' });
    expect(gone.headers.get('retry-after')).toBe('2');
    expect({ status: gone.status, ...gone.body }).toMatchObject({
      status: 503,
      code: 'PLATFORM_UNAVAILABLE',
      platformCode: 'UNREACHABLE',
    });
  });

  it('states whether the platform is unavailable, or its answer cannot be used', async () => {
    const answers = [
      ['TIMEOUT', 503, 'PLATFORM_UNAVAILABLE'],
      ['UNAUTHORIZED', 503, 'PLATFORM_UNAVAILABLE'],
      ['UNREADABLE', 502, 'PLATFORM_UNREADABLE'],
      ['REFUSED', 502, 'PLATFORM_UNREADABLE'],
      ['INVALID_INPUT', 400, 'INVALID_QUERY'],
      ['RATE_LIMITED', 503, 'PLATFORM_UNAVAILABLE'],
    ] as const;
    for (const [code, status, problem] of answers) {
      api.parts.fleet.failing.set('listCars', { code });
      expect(await problemOf('/api/cars', { as: 'staff' }), code).toEqual({ status, code: problem });
    }
  });
});

describe('F27: the assigned car', () => {
  const path = '/api/reservations/8421/assigned-car';
  const at = (code: number, display: 'assigned-car' | 'in-use' | 'use-completed' | null, carId = 1001) => {
    const view = fullView(8421);
    const car = view.car && { ...view.car, id: carId };
    api.parts.views.set(8421, { ...view, status: { ...view.status, code }, display, car });
  };

  it('is the one that the reservation is believed to have, read as a channel, with its position', async () => {
    at(15, 'assigned-car');
    const { body } = await api.ask(path, { as: 'staff' });
    documented(assignedCar, body);
    expect(body).toMatchObject({
      reservationId: 8421,
      status: { code: 15 },
      display: 'assigned-car',
      ageSeconds: 0,
      car: { carId: 1001, carNumber: '12가1001' },
      parking: { memo: personal, imageUrl: personal, lotType: 1 },
    });
    at(20, 'in-use', 1002);
    expect((await api.ask(path, { as: 'staff' })).body.car.carId).toBe(1002);
    expect(api.parts.fleet.asked).toEqual(['getCar 1001 channel', 'getCar 1002 channel']);
  });

  it('L60: has its position as null for viewers', async () => {
    at(25, 'in-use');
    const { body, text } = await api.ask(path, { as: 'viewer' });
    documented(assignedCar, body);
    expect(text).not.toContain(personal);
    expect(body.parking).toEqual({ memo: null, imageUrl: null, lotType: 1 });
  });

  it('is not shown before 15, nor from the return on, nor without a known car', async () => {
    for (const [code, display] of [
      [5, null],
      [10, null],
      [30, 'use-completed'],
      [40, null],
    ] as const) {
      at(code, display);
      const { status, body } = await api.ask(path, { as: 'staff' });
      expect({ status, code: body.code, at: body.status }).toMatchObject({
        status: 409,
        code: 'ASSIGNED_CAR_NOT_SHOWN',
      });
      expect(body.detail).toMatch(code < 15 ? /is shown from 15 on/ : /until the return at 30/);
    }
    api.parts.views.set(8421, { ...fullView(8421), display: 'assigned-car', car: null });
    expect((await problemOf(path, { as: 'staff' })).code).toBe('ASSIGNED_CAR_NOT_SHOWN');
    expect(await problemOf('/api/reservations/1/assigned-car', { as: 'staff' })).toEqual({
      status: 404,
      code: 'RESERVATION_NOT_FOUND',
    });
    at(15, 'assigned-car', 9);
    expect((await problemOf(path, { as: 'staff' })).code).toBe('CAR_NOT_FOUND');
    expect(api.parts.fleet.asked).toEqual(['getCar 9 channel']);
  });
});

describe('F29: without a key of its role nothing is sent', () => {
  it.each([
    ['supplier', 'GET', '/api/cars?as=channel'],
    ['supplier', 'GET', '/api/reservations/8421/assigned-car'],
    ['channel', 'GET', '/api/products/301?as=supplier'],
    ['channel', 'PUT', '/api/products/301/cars/1001/sale-status', { saleYn: 'N', reason: 'a dent' }],
    ['channel', 'POST', '/api/cars/1001/memos', { content: 'new tyres' }],
    ['no', 'GET', '/api/products'],
  ] as const)('with %s key alone: %s %s', async (role, method, path, json?) => {
    const { fleet } = api.parts;
    fleet.roles.splice(0, 2, ...(role === 'no' ? [] : [role]));
    const ask = { method, as: 'manager', key: 'k-1', json } as const;
    const { status, body } = await api.ask(path, ask);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'ROLE_OFF' });
    expect(body.detail).toMatch(/PLATFORM_(CHANNEL|SUPPLIER)_API_KEY/);
    expect([fleet.asked, fleet.writes]).toEqual([[], []]);
  });
});

describe('F22: writes', () => {
  const sale = '/api/products/301/cars/1001/sale-status';
  const stop = { saleYn: 'N', reason: 'a dent' };
  const memo = '/api/cars/1001/memos';

  it('a sale status: 200 with its earlier value, and visible at once (F28)', async () => {
    const { fleet } = api.parts;
    await api.ask('/api/products/301', { as: 'staff' });
    fleet.onWrite = async () => {
      fleet.related.splice(0, 1, { ...fleet.related[0], saleYn: 'N' } as (typeof fleet.related)[0]);
      return { outcome: 'applied', saleYn: 'N', before: 'Y' };
    };
    const { status, body } = await api.ask(sale, { method: 'PUT', as: 'manager', key: 'k-1', json: stop });
    documented(saleStatus, body);
    expect({ status, ...body }).toEqual({
      status: 200,
      productId: 301,
      carId: 1001,
      saleYn: 'N',
      before: 'Y',
      commandId: 'k-1',
    });
    expect(fleet.writes).toEqual([
      { commandId: 'k-1', by: 'lee', write: { kind: 'sale-status', productId: 301, carId: 1001, ...stop } },
    ]);
    expect((await api.ask('/api/products/301', { as: 'staff' })).body.cars[0].saleYn).toBe('N');
  });

  it('a memo: 201 with its id, and visible at once (F28)', async () => {
    const { fleet } = api.parts;
    await api.ask('/api/cars/1001', { as: 'staff' });
    fleet.memos.push(aMemo(5, 1001));
    const ask = { method: 'POST', as: 'staff', key: 'k-2', json: { content: '  new tyres ' } } as const;
    const { status, body } = await api.ask(memo, ask);
    documented(memoWritten, body);
    expect({ status, ...body }).toEqual({ status: 201, carId: 1001, memoId: 5, commandId: 'k-2' });
    expect(fleet.writes).toMatchObject([{ by: 'kim', write: { kind: 'memo', content: 'new tyres' } }]);
    expect((await api.ask('/api/cars/1001', { as: 'staff' })).body.memos).toHaveLength(1);
  });

  it('a rejected write has the platform’s code and reason', async () => {
    const answers = {
      NOT_FOUND: 404,
      INVALID_REQUEST: 409,
      INVALID_INPUT: 409,
      ILLEGAL_STATE: 409,
      ROLE_SUSPENDED: 409,
      RATE_LIMITED: 409,
    };
    for (const [code, status] of Object.entries(answers)) {
      api.parts.fleet.onWrite = async () => ({ outcome: 'rejected', code, message: 'the reason' });
      const answer = await api.ask(sale, { method: 'PUT', as: 'manager', key: 'k-1', json: stop });
      expect({ status: answer.status, ...answer.body }).toMatchObject({
        status,
        code,
        detail: ['INVALID_INPUT', 'ROLE_SUSPENDED'].includes(code)
          ? 'the reason'
          : expect.stringContaining(`(${code}). `),
        commandId: 'k-1',
        platformCode: code,
      });
    }
  });

  it.each([
    [{ outcome: 'pending' }, 'out', null],
    [{ outcome: 'unknown', code: 'TIMEOUT' }, 'unknown', 'TIMEOUT'],
  ] as const)('%o: 202 with the command, which can be requested again', async (result, outcome, code) => {
    api.parts.fleet.onWrite = async () => result;
    api.parts.fleet.known.set('k-1', result);
    for (const [method, path, json] of [
      ['PUT', sale, stop],
      ['POST', memo, { content: 'new tyres' }],
    ] as const) {
      const { status, body, headers } = await api.ask(path, { method, as: 'manager', key: 'k-1', json });
      documented(carWrite, body);
      expect({ status, ...body }).toEqual({ status: 202, commandId: 'k-1', outcome, code, message: null });
      expect((await api.ask(headers.get('location') ?? '', { as: 'viewer' })).body).toEqual(body);
    }
    expect(await problemOf('/api/car-writes/k-9', { as: 'viewer' })).toEqual({
      status: 404,
      code: 'CAR_WRITE_NOT_FOUND',
    });
  });

  it('L21: the same key with another request is refused', async () => {
    api.parts.fleet.onWrite = async () => ({ outcome: 'reused' });
    expect(
      await problemOf(memo, { method: 'POST', as: 'staff', key: 'k-1', json: { content: 'x' } }),
    ).toEqual({
      status: 409,
      code: 'COMMAND_ID_REUSED',
    });
  });

  it('bad input gets a coded problem that names the field, and nothing is sent', async () => {
    const bad = [
      ['PUT', sale, { saleYn: 'maybe', reason: 'a dent' }, 'saleYn'],
      ['PUT', sale, { saleYn: 'N' }, 'reason'],
      ['PUT', sale, { saleYn: 'N', reason: '  ' }, 'reason'],
      ['POST', memo, { content: ' ' }, 'content'],
      ['POST', memo, { content: 'x'.repeat(1001) }, 'content'],
    ] as const;
    for (const [method, path, json, field] of bad) {
      const { status, body } = await api.ask(path, { method, as: 'manager', key: 'k-1', json });
      expect({ status, code: body.code, field: body.fields[0].field }).toEqual({
        status: 400,
        code: 'INVALID_BODY',
        field,
      });
    }
    expect(await problemOf(sale, { method: 'PUT', as: 'manager', json: stop })).toMatchObject({
      code: 'IDEMPOTENCY_KEY_INVALID',
    });
    expect(
      await problemOf('/api/cars/0/memos', { method: 'POST', as: 'staff', key: 'k', json: {} }),
    ).toMatchObject({ status: 400 });
    expect(api.parts.fleet.writes).toEqual([]);
  });

  it('a sale status needs a manager, a memo staff; a viewer reads', async () => {
    const write = (path: string, method: string, as: 'viewer' | 'staff', json: object) =>
      problemOf(path, { method, as, key: 'k-1', json });
    expect(await write(sale, 'PUT', 'staff', stop)).toEqual({ status: 403, code: 'ROLE_NOT_ALLOWED' });
    expect(await write(memo, 'POST', 'viewer', { content: 'x' })).toMatchObject({ status: 403 });
    for (const path of ['/api/products', '/api/cars/1001', '/api/car-writes/k-1', sale, memo]) {
      expect((await api.ask(path)).status).toBe(path === sale || path === memo ? 405 : 401);
    }
  });
});

it('F24: lists of ten thousand cars are paged without delay', async () => {
  api.parts.fleet.cars.splice(0, 3, ...Array.from({ length: 1_200 }, (_, index) => aCar(index + 1)));
  const seen: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: { body: { items: { carId: number }[]; nextCursor: string | null } } = await api.ask(
      `/api/cars?limit=500${cursor && `&cursor=${cursor}`}`,
      { as: 'viewer' },
    );
    seen.push(...body.items.map(({ carId }) => carId));
    cursor = body.nextCursor;
  }
  expect(seen).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 1));
  expect(api.parts.fleet.asked).toHaveLength(1);
});
