import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCarWriteRows } from '../../src/store/cars/writes.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { temporalCarWrites } from '../../src/temporal/client/cars/writes.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';
import { keys } from '../support/sandbox.js';
import { jpeg } from '../support/sandbox-client.js';
import { wireProfiles } from '../support/wire-profiles.js';

/**
 * Products, cars and writes on them over HTTP: API, worker, database and sandbox are the product's own. Company 11 has
 * products 301 (cars 1001-1004) and 302; the channel sees 303 of company 12 too, and not 304, which awaits approval.
 */
describe.each(wireProfiles)('under the $name profile', (profile) => {
  const lane = embeddedLane();
  let database: HandoverDatabase;
  let parts: HandoverParts;
  beforeAll(async () => {
    database = await lane.open();
    parts = await startHandoverParts(database, { worker: true, profile });
  });
  afterAll(async () => {
    await parts?.stop();
    await database?.close();
  });

  const get = async (path: string) => (await parts.ask('GET', path)).body;
  const ids = (body: { items: { productId?: number; carId?: number }[] }) =>
    body.items.map(({ productId, carId }) => productId ?? carId);
  const write = (method: string, path: string, json: object, key: string = randomUUID()) =>
    parts.ask(method, path, { key, json });
  const stop = { saleYn: 'N', reason: 'a dent' };
  const sale = (carId: number) => `/api/products/301/cars/${carId}/sale-status`;
  const saleYn = async (carId: number) =>
    (await get('/api/products/301')).cars.find((car: { carId: number }) => car.carId === carId)?.saleYn;
  /** The platform acts, and its answer is lost. */
  const loseAnswer = (operation: string) =>
    parts.platform.control('PUT', '/faults', {
      calls: [{ operation, times: 1, effect: { kind: 'reset', applied: true } }],
    });

  it('F25: a company sees its own products, a channel the approved products of all companies', async () => {
    expect(ids(await get('/api/products'))).toEqual([301, 302]);
    expect(ids(await get('/api/products?as=channel'))).toEqual([301, 302, 303]);
    expect(ids(await get('/api/products?as=channel&limit=2&cursor=301'))).toEqual([302, 303]);
    expect(ids(await get('/api/products?fareId=702'))).toEqual([302]);
    expect(ids(await get(`/api/products?productName=${encodeURIComponent('아반떼 데일리')}`))).toEqual([301]);
    expect(await get('/api/products/301?as=channel')).toMatchObject({
      productId: 301,
      basicSectionFareInfo: { fareId: 701 },
      ageSeconds: 0,
      staleBecause: null,
      cars: [{ carId: 1001, saleYn: 'Y' }, { carId: 1002 }, { carId: 1003 }, { carId: 1004 }],
    });
    for (const hidden of ['/api/products/304?as=channel', '/api/products/303']) {
      expect(await get(hidden)).toMatchObject({ status: 404, code: 'PRODUCT_NOT_FOUND' });
    }
  });

  it('F26: cars are listed by filter and page, and one car with its schedule of today', async () => {
    const { businessLicenseId, carNumber } = await get('/api/cars/1003');
    expect([businessLicenseId, carNumber]).toEqual([11, '34나1024']);
    expect(ids(await get('/api/cars?limit=5&cursor=1003'))).toEqual([1004, 2001, 2002, 2003]);
    expect(ids(await get(`/api/cars?carNumber=${encodeURIComponent(carNumber)}`))).toEqual([1003]);
    expect(await get('/api/cars/3001')).toMatchObject({ status: 404, code: 'CAR_NOT_FOUND' });
    const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10);
    const body = {
      carId: 1004,
      reason: 'inspection',
      startDateTimeStr: `${today}T10:00:00.000+0900`,
      endDateTimeStr: `${today}T11:00:00.000+0900`,
    };
    expect((await parts.platform.call('POST', '/schedule', { key: keys.supplier, body })).status).toBe(200);
    expect(await get('/api/cars/1004')).toMatchObject({
      schedule: [{ scheduleType: 'S', startAt: `${today}T10:00:00.000+09:00`, reason: 'inspection' }],
      currentReservation: null,
      memos: [],
      missing: [],
    });
  });

  it('F21, F23, F28: a sale status is set, visible at once and audited, also where its answer is lost', async () => {
    expect(await saleYn(1001)).toBe('Y');
    const set = await write('PUT', sale(1001), stop, 'stop-1001');
    expect(set).toMatchObject({ status: 200, body: { carId: 1001, saleYn: 'N', before: 'Y' } });
    expect(await saleYn(1001)).toBe('N');
    await loseAnswer('setSaleStatus');
    expect(await write('PUT', sale(1002), stop)).toMatchObject({ status: 200, body: { before: 'Y' } });
    expect(await saleYn(1002)).toBe('N');
    expect(await write('PUT', sale(2001), stop)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const { items } = await get('/api/audit?action=product.sale-status&subject=product%2F301%2Fcar%2F1001');
    expect(items).toMatchObject([
      {
        commandId: 'stop-1001',
        reason: 'a dent',
        data: { before: 'Y', after: 'N', wanted: 'N', outcome: 'applied', code: null },
      },
    ]);
  });

  it('F20, F22: a memo is written once, also where the request is repeated or its answer is lost', async () => {
    const memo = { content: 'new tyres' };
    await loseAnswer('addCarMemo');
    const first = await write('POST', '/api/cars/1001/memos', memo, 'memo-1');
    const again = await write('POST', '/api/cars/1001/memos', memo, 'memo-1');
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await get('/api/car-writes/memo-1')).toMatchObject({ outcome: 'applied', code: null });
    const other = await write('POST', '/api/cars/1001/memos', { content: 'a scratch' }, 'memo-1');
    expect(other).toMatchObject({ status: 409, body: { code: 'COMMAND_ID_REUSED' } });
    const { memos } = await get('/api/cars/1001');
    expect(memos).toMatchObject([{ memoId: first.body.memoId, content: 'new tyres' }]);
    const unknown = await write('POST', '/api/cars/3001/memos', memo);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('F28: a change that another process made is visible within moments', async () => {
    expect(await saleYn(1003)).toBe('Y');
    const elsewhere = temporalCarWrites(parts.engine.client, {
      rows: createCarWriteRows(database.db, createSealer(parts.setting.config.codec.keys)),
    });
    const place = { kind: 'sale-status', productId: 301, carId: 1003 } as const;
    const start = {
      commandId: randomUUID(),
      by: 'elsewhere',
      write: { ...place, ...stop, saleYn: 'N' },
    } as const;
    expect(await elsewhere.write(start)).toMatchObject({ outcome: 'applied' });
    await eventually('it is seen', async () => (await saleYn(1003)) === 'N');
  });

  it('F26, F27: the assigned car is shown from 15 on, and the other car after a change', async () => {
    const { booked, command, control, photo } = parts.platform;
    const id = await booked({ productId: 302 });
    const assigned = () => parts.ask('GET', `/api/reservations/${id}/assigned-car`);
    const reaches = (code: number) =>
      eventually(`status ${code}`, async () => (await parts.view(id))?.status.code === code);
    await reaches(5);
    expect(await assigned()).toMatchObject({
      status: 409,
      body: { code: 'ASSIGNED_CAR_NOT_SHOWN', reservationStatus: 5 },
    });
    await command('PUT', id, 'dispatch/start');
    const facts = { parkingMemo: 'B2, pillar 14', parkingLotType: '1' };
    await command('POST', id, 'dispatch/parkingImage', photo(jpeg, facts));
    await command('PUT', id, 'dispatch/complete');
    await reaches(15);
    const { carId } = (await parts.platform.truth(id)) as { carId: number };
    await eventually(
      'the position of the car is known',
      async () => (await assigned()).body.parking?.memo ?? false,
    );
    expect(await assigned()).toMatchObject({
      status: 200,
      body: { display: 'assigned-car', car: { carId }, parking: { memo: 'B2, pillar 14', lotType: 1 } },
    });
    await eventually('its car knows', async () => {
      const { currentReservation } = await get(`/api/cars/${carId}`);
      return currentReservation?.reservationId === id;
    });
    const next = carId === 2001 ? 2002 : 2001;
    expect((await control('POST', `/reservations/${id}/car`, { carId: next })).status).toBe(200);
    await eventually('the other car', async () => (await assigned()).body.car?.carId === next);
  });
});
