import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/callback-receiver.js';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let sandbox: TestSandbox;
let client: SandboxClient;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
const missing = { status: 404, body: { code: 'NOT_FOUND' } };
const inUse = { status: 409, body: { code: 'ILLEGAL_STATE', message: expect.any(String) } };
const illegal = { status: 409, body: { code: 'ILLEGAL_STATE' } };
const invalid = { status: 400, body: { code: 'INVALID_REQUEST', message: expect.any(String) } };
const unavailable = { status: 409, body: { code: 'NO_AVAILABILITY' } };

beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startTestSandbox({ callback: { url: receiver.url } });
  client = sandboxClient(sandbox);
});
afterAll(async () => {
  await sandbox.dispose();
  await receiver.close();
});

let serial = 1000;
const plate = () => `99하${serial++}`;
const newCar = async (changes: object = {}): Promise<number> => {
  const form = { businessLicenseId: 11, carNumber: plate(), detailModelName: '레이', ...changes };
  const { status, body } = await client.control('POST', '/cars', form);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.carId;
};
const fares = { daily: 50_000, hourly: 5000 };
const farePlan = { fareName: '주말', baseFare: 50_000, maxFare: 90_000, weekday: fares, weekend: fares };
const form = (carIds: number[], changes: object = {}) => ({
  businessLicenseId: 11,
  productName: '레이 데일리',
  carIds,
  farePlan,
  ...changes,
});
const newProduct = async (carIds: number[], changes?: object): Promise<number> => {
  const { status, body } = await client.control('POST', '/products', form(carIds, changes));
  expect(status, JSON.stringify(body)).toBe(200);
  return body.productId;
};
const approve = (id: number) => client.control('POST', `/products/${id}/approve`);
const seen = (path: string) => client.call('GET', path, { key: keys.channel });

describe('cars', () => {
  it('a car number and a company are enough: the vehicle look-up fills in the rest', async () => {
    const carNumber = plate();
    const { body } = await client.control('POST', '/cars', { businessLicenseId: 11, carNumber });
    const shown = (await seen(`/car/${body.carId}`)).body;
    expect(shown).toMatchObject({ businessLicenseId: 11, businessName: '한빛렌터카', carNumber });
    expect(shown.seatCount).toBeGreaterThan(0);
    expect(shown.detailModelName).toMatch(/\S/);
    expect(shown.registrationDate).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it('values of the form take precedence over those of the look-up', async () => {
    const written = {
      carTypeFuelCd: 4,
      fuelTypeName: '전기',
      gradeCd: 9,
      gradeName: '최상',
      carTypeName: '소형',
      modelYear: 2026,
      detailModelName: '시험 모델',
      displacement: 0,
      seatCount: 2,
      vin: 'KMHTEST',
      colour: '빨강',
      registrationDate: '2026-01-02',
      modifierName: '관리자',
      simNumber: '8982',
      registrationFile: { fileId: 7, fileName: 'a.pdf' },
      carOptionList: [
        {
          optionKey1: 'A',
          optionNm1: '편의',
          optionKey2: 'B',
          optionNm2: '운전',
          optionKey3: 'C',
          optionNm3: '크루즈',
          optionValue: 'N',
        },
      ],
      deviceEquipYn: 'Y',
    };
    const id = await newCar(written);
    expect((await seen(`/car/${id}`)).body).toMatchObject(written);
    const edited = await client.control('PUT', `/cars/${id}`, { colour: '파랑' });
    expect(edited).toMatchObject({ status: 200, body: { ...written, colour: '파랑' } });
  });

  it('a car that nothing uses can be deleted, with its memos and past schedules', async () => {
    const id = await newCar();
    await client.call('POST', `/car/${id}/memo`, { key: keys.supplier, body: { content: '메모' } });
    const past = { startDateTimeStr: '2020-01-01T00:00:00Z', endDateTimeStr: '2020-01-02T00:00:00Z' };
    const sent = { carId: id, reason: '점검', ...past };
    expect((await client.call('POST', '/schedule', { key: keys.supplier, body: sent })).status).toBe(200);
    expect((await client.control('DELETE', `/cars/${id}`)).status).toBe(204);
    expect(await seen(`/car/${id}`)).toMatchObject(missing);
    expect(await client.control('DELETE', `/cars/${id}`)).toMatchObject(missing);
  });

  it('a car in a product, or with a schedule ahead, is not deleted', async () => {
    expect(await client.control('DELETE', '/cars/1001')).toMatchObject(inUse);
    const id = await newCar();
    const ahead = { startDateTimeStr: '2050-01-01T00:00:00Z', endDateTimeStr: '2050-01-02T00:00:00Z' };
    const sent = { carId: id, reason: '점검', ...ahead };
    await client.call('POST', '/schedule', { key: keys.supplier, body: sent });
    expect(await client.control('DELETE', `/cars/${id}`)).toMatchObject(inUse);
    expect((await seen(`/car/${id}`)).status).toBe(200);
  });

  it('the car of a live reservation keeps its number and is not deleted', async () => {
    const carId = await newCar();
    const productId = await newProduct([carId]);
    await approve(productId);
    const id = await client.booked({ productId });
    expect(await client.control('PUT', `/cars/${carId}`, { carNumber: plate() })).toMatchObject(inUse);
    const other = await newCar();
    await client.control('PUT', `/products/${productId}`, { carIds: [other] });
    expect(await client.control('DELETE', `/cars/${carId}`)).toMatchObject(inUse);
    await client.customer(id, 'cancel');
    expect((await client.control('DELETE', `/cars/${carId}`)).status).toBe(204);
  });

  it('the model of a car in a product cannot change: one product holds one model', async () => {
    expect(await client.control('PUT', '/cars/1001', { detailModelName: '레이' })).toMatchObject(inUse);
  });

  it.each([
    ['no company', { businessLicenseId: undefined }],
    ['no car number', { carNumber: undefined }],
    ['a blank car number', { carNumber: ' ' }],
    ['a registration date that does not exist', { registrationDate: '2026-02-30' }],
    ['seats that are text', { seatCount: '5' }],
    ['no seats', { seatCount: 0 }],
    ['a displacement below zero', { displacement: -1 }],
    ['an unknown field', { wheels: 4 }],
    ['an option without a value', { carOptionList: [{ optionKey1: 'A' }] }],
    ['a character that no text has', { colour: 'a\u0000' }],
  ])('a registration with %s is refused and registers nothing', async (_what, changes) => {
    const before = (await seen('/car')).body.length;
    const sent = { businessLicenseId: 11, carNumber: plate(), ...changes };
    expect(await client.control('POST', '/cars', sent)).toMatchObject(invalid);
    expect((await seen('/car')).body.length).toBe(before);
  });

  it('a registration with a car number that is taken is refused and registers nothing', async () => {
    const before = (await seen('/car')).body.length;
    const sent = { businessLicenseId: 11, carNumber: '12가3456' };
    expect(await client.control('POST', '/cars', sent)).toMatchObject(illegal);
    expect((await seen('/car')).body.length).toBe(before);
  });

  it('an unknown company or car is NOT_FOUND, and an edit to a number that is taken is refused', async () => {
    const unknown = { businessLicenseId: 99, carNumber: plate() };
    expect(await client.control('POST', '/cars', unknown)).toMatchObject(missing);
    expect(await client.control('PUT', '/cars/1', { colour: '빨강' })).toMatchObject(missing);
    const id = await newCar();
    expect(await client.control('PUT', `/cars/${id}`, { carNumber: '12가3456' })).toMatchObject(illegal);
  });
});

describe('products', () => {
  it('a new product awaits approval and cannot be booked before it; then it can', async () => {
    const productId = await newProduct([await newCar(), await newCar()]);
    const shown = (await seen(`/product/${productId}`)).body;
    expect(shown).toMatchObject({
      productName: '레이 데일리',
      detailModelName: '레이',
      productApproveStatus: 0,
      basicSectionFareInfo: { fareName: '주말', baseFare: 50_000, maxFare: 90_000 },
    });
    expect(await client.book({ productId })).toMatchObject(unavailable);
    expect(await approve(productId)).toMatchObject({ status: 200, body: { productApproveStatus: 1 } });
    expect((await client.book({ productId })).status).toBe(200);
    expect((await approve(productId)).body.productApproveStatus).toBe(1);
  });

  it('an edit resets the approval to 0; existing bookings stay', async () => {
    const productId = await newProduct([await newCar()]);
    await approve(productId);
    const id = await client.booked({ productId });
    const edited = await client.control('PUT', `/products/${productId}`, { productName: '레이 특가' });
    expect(edited.body).toMatchObject({ productName: '레이 특가', productApproveStatus: 0 });
    expect(await client.book({ productId })).toMatchObject(unavailable);
    expect((await client.command('PUT', id, 'dispatch/start')).status).toBe(200);
    await approve(productId);
    expect((await client.book({ productId })).status).toBe(200);
  });

  it('another car list: new cars are on sale, those that stay keep their sale status', async () => {
    const cars = [await newCar(), await newCar(), await newCar()];
    const productId = await newProduct(cars.slice(0, 2));
    const off = { key: keys.supplier, body: { saleYn: 'N' } };
    await client.call('PUT', `/product/${productId}/car/${cars[1]}/sale_status`, off);
    const { body } = await client.control('PUT', `/products/${productId}`, { carIds: cars.slice(1) });
    expect(body.cars.map(({ carId, saleYn }: { carId: number; saleYn: string }) => [carId, saleYn])).toEqual([
      [cars[1], 'N'],
      [cars[2], 'Y'],
    ]);
  });

  it('policies and options are shown as they were written; a fare plan is shared by its id', async () => {
    const policies = {
      insuranceAge: 'S',
      licenseType: 'H',
      manufacturerCd: 3,
      productCarOptionList: [{ optionId: 1, optionName: '내비', kmOption: '', selectedYn: 'Y' }],
      productCarCampOptionList: [{ optionId: 51, optionName: '냉장고', selectedYn: 'N' }],
    };
    const first = await newProduct([await newCar()], { policies });
    const shown = (await seen(`/product/${first}`)).body;
    expect(shown).toMatchObject(policies);
    const second = await newProduct([await newCar()], { farePlan: { fareId: shown.fareId } });
    const plan = (await seen(`/product/fareId/${shown.fareId}`)).body;
    expect(plan.map(({ productId }: { productId: number }) => productId)).toEqual([first, second]);
    const { body } = await client.control('PUT', `/products/${second}`, { farePlan });
    expect(body.fareId).not.toBe(shown.fareId);
    expect((await seen(`/product/fareId/${shown.fareId}`)).body).toHaveLength(1);
  });

  it('a product with a live reservation is not deleted; afterwards it is', async () => {
    const productId = await newProduct([await newCar()]);
    await approve(productId);
    const id = await client.booked({ productId });
    expect(await client.control('DELETE', `/products/${productId}`)).toMatchObject(inUse);
    await client.customer(id, 'cancel');
    expect((await client.control('DELETE', `/products/${productId}`)).status).toBe(204);
    expect(await seen(`/product/${productId}`)).toMatchObject(missing);
    expect(await client.book({ productId })).toMatchObject(missing);
  });

  it('a product with cars of several models is refused and creates nothing', async () => {
    const before = (await seen('/product')).body;
    expect(await client.control('POST', '/products', form([1001, 2001], {}))).toMatchObject(illegal);
    expect((await seen('/product')).body).toEqual(before);
  });

  it.each([
    ['no name', { productName: undefined }],
    ['no cars', { carIds: [] }],
    ['cars that are text', { carIds: ['1001'] }],
    ['no fare plan', { farePlan: undefined }],
    ['a fare plan without a name', { farePlan: { ...farePlan, fareName: undefined } }],
    ['a fare below zero', { farePlan: { ...farePlan, baseFare: -1 } }],
    ['a fare with a fraction', { farePlan: { ...farePlan, weekday: { daily: 1.5, hourly: 1 } } }],
    ['a licence type that is none', { policies: { licenseType: 'X' } }],
    ['an insurance age that is a number', { policies: { insuranceAge: 21 } }],
    ['an approval of its own', { productApproveStatus: 1 }],
  ])('a product with %s is refused and creates nothing', async (_what, changes) => {
    const before = (await seen('/product')).body;
    expect(await client.control('POST', '/products', form([1001], changes))).toMatchObject(invalid);
    expect((await seen('/product')).body).toEqual(before);
  });

  it('an unknown company, car, fare plan or product, and another company’s, are NOT_FOUND', async () => {
    for (const changes of [
      { businessLicenseId: 99 },
      { carIds: [1] },
      { carIds: [3001] },
      { farePlan: { fareId: 1 } },
      { farePlan: { fareId: 703 } },
    ])
      expect(await client.control('POST', '/products', form([1001], changes))).toMatchObject(missing);
    expect(await client.control('PUT', '/products/1', { productName: 'a' })).toMatchObject(missing);
    expect(await client.control('PUT', '/products/301', { carIds: [3001] })).toMatchObject(missing);
    expect(await client.control('DELETE', '/products/1')).toMatchObject(missing);
    expect(await approve(1)).toMatchObject(missing);
  });
});

describe('details of a reservation', () => {
  const edit = (id: number, body: object) => client.control('POST', `/reservations/${id}/details`, body);

  it('G31: an edit of the driver, the address or a memo sends one update; none when nothing changes', async () => {
    const id = await client.booked({ pickupMemo: '정문' });
    const changes = { driver: { phone: '01000009999' }, pickupAddress: '부산역', pickupMemo: null };
    expect((await edit(id, changes)).status).toBe(200);
    await edit(id, changes);
    await edit(id, { parkingMemo: 'B3', parkingLotType: 1 });
    await expect.poll(() => receiver.of(id).length).toBe(3);
    const [registration, details, parking] = receiver.of(id).map(({ body }) => body);
    expect(registration).toMatchObject({ pickupMemo: '정문', driverPhone: '01000001234' });
    expect(details).toMatchObject({
      driverName: registration.driverName,
      driverPhone: '01000009999',
      pickupAddress: '부산역',
      reservationStatus: 5,
    });
    expect(details).not.toHaveProperty('pickupMemo');
    expect(parking).toMatchObject({ parkingMemo: 'B3', parkingLotType: 1 });
  });

  it('are refused once the reservation is over', async () => {
    const id = await client.booked();
    await client.customer(id, 'cancel');
    expect(await edit(id, { pickupAddress: '부산역' })).toMatchObject(inUse);
  });

  it.each([
    ['nothing', {}],
    ['an empty driver', { driver: {} }],
    ['a phone with dashes', { driver: { phone: '010-1' } }],
    ['a birth date that does not exist', { driver: { birth: '19900231' } }],
    ['an address that is blank', { pickupAddress: ' ' }],
    ['an address taken away', { pickupAddress: null }],
    ['a lot type out of range', { parkingLotType: 2 }],
    ['an unknown field', { status: 40 }],
    ['half a character', { pickupMemo: 'a\ud800' }],
  ])('with %s are refused', async (_what, body) => {
    const id = await client.booked();
    // what the receiver's acknowledgement changes is left out
    const kept = async () => ({ ...(await client.truth(id)), callbacks: null, failAt: null });
    const before = await kept();
    expect(await edit(id, body)).toMatchObject(invalid);
    expect(await kept()).toEqual(before);
  });

  it('of an unknown reservation are NOT_FOUND', async () => {
    expect(await edit(1, { pickupAddress: '부산역' })).toMatchObject(missing);
  });
});
