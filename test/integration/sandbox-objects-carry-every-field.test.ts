import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { startReceiver } from '../support/callback-receiver.js';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { hour, type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let sandbox: TestSandbox;
let client: SandboxClient;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+0900$/;
const text = expect.any(String);
const integer = expect.any(Number);
const moment = expect.stringMatching(timestamp);
const missing = { status: 404, body: { code: 'NOT_FOUND' } };

beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startTestSandbox({ callback: { url: receiver.url } });
  client = sandboxClient(sandbox);
});
afterAll(async () => {
  await sandbox.dispose();
  await receiver.close();
});

const read = (path: string, key = keys.channel) => client.call('GET', path, { key });
/** What the receiver has of a reservation, once `count` callbacks came. */
async function callbacksOf(id: number, count: number) {
  await expect.poll(() => receiver.of(id).length).toBe(count);
  return receiver.of(id).map(({ body }) => body);
}
const newest = async (id: number, count: number) => (await callbacksOf(id, count)).at(-1);

/** Fields 1-24 that every reservation has. */
const required = {
  reservationId: integer,
  serviceId: integer,
  serviceName: text,
  reservationStatus: 5,
  carId: integer,
  carNumber: text,
  companyId: 11,
  companyName: '한빛렌터카',
  createdAt: moment,
  startAt: moment,
  endAt: moment,
  pickupAddress: text,
  driverName: text,
  driverBirth: expect.stringMatching(/^\d{8}$/),
  driverPhone: expect.stringMatching(/^\d+$/),
  driverLicenseNumber: text,
  driverAddress: text,
  productInfo: { productId: 301, carId: integer },
};

describe('the reservation object', () => {
  it('G01: has every required field at registration, none of the others, and its status is 5', async () => {
    const id = await client.booked();
    expect(await newest(id, 1)).toEqual({ ...required, reservationId: id });
  });

  it('G01: has every field at the end of its life', async () => {
    const id = await client.booked({
      pickupMemo: '정문',
      companionInfo: { phone: '01000002222', birth: '19910201', name: '동승자', licenseNumber: '11' },
    });
    await client.command('PUT', id, 'dispatch/start');
    const photo = client.photo(undefined, { parkingMemo: 'B2', parkingLotType: '1' });
    await client.command('POST', id, 'dispatch/parkingImage', photo);
    await client.command('PUT', id, 'dispatch/complete');
    await client.customer(id, 'start-use');
    await client.customer(id, 'return');
    await callbacksOf(id, 10);
    const updates = receiver.of(id).filter(({ path }) => path === '/events/reservation/update');
    expect(updates.at(-1)?.body).toEqual({
      ...required,
      reservationId: id,
      reservationStatus: 30,
      drivingStartAt: moment,
      drivingEndAt: moment,
      pickupMemo: '정문',
      parkingMemo: 'B2',
      parkingImageUrl: expect.stringMatching(/^http.*\/photos\//),
      parkingLotType: 1,
      companionInfo: { phone: '01000002222', birth: '19910201', name: '동승자', licenseNumber: '11' },
    });
  });

  it('companion fields are each optional; without a companion the field is absent from the payload', async () => {
    const id = await client.booked({ companionInfo: { name: '동승자' } });
    expect((await newest(id, 1)).companionInfo).toEqual({ name: '동승자' });
    await client.control('DELETE', `/reservations/${id}/companion`);
    expect(await newest(id, 2)).not.toHaveProperty('companionInfo');
  });

  it('productInfo.carId is the assigned car, which GET /car/{id} reads, also after the car was changed', async () => {
    const id = await client.booked();
    const [first] = await callbacksOf(id, 1);
    expect(first.productInfo.carId).toBe(first.carId);
    const carId = first.carId === 1001 ? 1002 : 1001;
    await client.control('POST', `/reservations/${id}/car`, { carId });
    const after = await newest(id, 3);
    expect(after.productInfo.carId).toBe(carId);
    expect((await read(`/car/${carId}`)).body.carNumber).toBe(after.carNumber);
  });

  it('an update can carry every status: 10, 15, 20, 30 and 35, then 25, 40 and 45', async () => {
    await client.freeze();
    const period = client.nextPeriod();
    const [whole, late, cancelled, unused] = [
      await client.booked(period),
      await client.booked(period),
      await client.booked(period),
      await client.booked(period),
    ];
    for (const id of [whole, late]) {
      await client.command('PUT', id, 'dispatch/start');
      await client.command('PUT', id, 'dispatch/complete');
      await client.customer(id, 'start-use');
    }
    await client.customer(whole, 'return');
    await client.command('PUT', whole, 'recall/complete');
    await client.customer(cancelled, 'cancel');
    await client.control('POST', '/clock', { advanceTo: period.endAt });
    const updates = (id: number) =>
      receiver
        .of(id)
        .filter(({ path }) => path === '/events/reservation/update')
        .map(({ body }) => body.reservationStatus);
    await expect.poll(() => updates(whole)).toEqual([10, 15, 20, 30, 35]);
    await expect.poll(() => updates(late)).toEqual([10, 15, 20, 25]);
    await expect.poll(() => updates(cancelled)).toEqual([40]);
    await expect.poll(() => updates(unused)).toEqual([45]);
  });
});

describe('25', () => {
  it('leads to 30 by the return and to 35 by the recall, and to nothing else', async () => {
    await client.freeze();
    const period = client.nextPeriod();
    const id = await client.booked(period);
    await client.command('PUT', id, 'dispatch/start');
    await client.command('PUT', id, 'dispatch/complete');
    await client.customer(id, 'start-use');
    await client.control('POST', '/clock', { advanceTo: period.endAt });
    const refused = { status: 409, body: { code: 'ILLEGAL_STATE' } };
    expect(await client.customer(id, 'cancel')).toMatchObject(refused);
    expect(await client.customer(id, 'start-use')).toMatchObject(refused);
    expect(await client.command('PUT', id, 'recall/complete')).toMatchObject(refused);
    expect((await client.customer(id, 'return')).body.reservationStatus).toBe(30);
    expect((await client.command('PUT', id, 'recall/complete')).body.reservationStatus).toBe(35);
  });
});

describe('35', () => {
  it('releases the inventory: the rest of the period can be booked again', async () => {
    const now = await client.freeze();
    const startAt = new Date(now - 60_000).toISOString();
    const period = { startAt, endAt: new Date(now + 5 * hour).toISOString() };
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push(await client.booked({ productId: 302, ...period }));
    const rest = { productId: 302, startAt: new Date(now + hour).toISOString(), endAt: period.endAt };
    expect((await client.book(rest)).body.code).toBe('NO_AVAILABILITY');
    const [id = 0] = ids;
    await client.command('PUT', id, 'dispatch/start');
    await client.command('PUT', id, 'dispatch/complete');
    await client.customer(id, 'start-use');
    await client.customer(id, 'return');
    expect((await client.book(rest)).body.code).toBe('NO_AVAILABILITY');
    await client.command('PUT', id, 'recall/complete');
    const again = await client.booked(rest);
    expect((await client.truth(again)).carId).toBe((await client.truth(id)).carId);
  });
});

describe('the answer of POST /reservations', () => {
  it('has reservationId, status, carNumber, and both moments in ISO 8601 with an offset', async () => {
    const { status, body } = await client.book();
    expect(status).toBe(200);
    const iso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+09:00$/);
    expect(body).toEqual({
      reservationId: integer,
      status: 'CONFIRMED',
      carNumber: text,
      pickupAt: iso,
      returnAt: iso,
    });
  });
});

describe('the product object', () => {
  const product = {
    productId: 304,
    productName: text,
    manufacturerCd: integer,
    seatCount: integer,
    modelCd: integer,
    detailModelCd: integer,
    detailModelName: text,
    carTypeFuelCd: integer,
    fuelTypeName: text,
    insuranceAge: expect.stringMatching(/^[OS]$/),
    licenseType: expect.stringMatching(/^[OTH]$/),
    fareId: integer,
    modifierName: text,
    modifiedAt: moment,
    productApproveStatus: 0,
    basicSectionFareInfo: {
      fareId: integer,
      fareName: text,
      baseFare: integer,
      maxFare: integer,
      weekday: { daily: integer, hourly: integer },
      weekend: { daily: integer, hourly: integer },
    },
    productCarOptionList: expect.any(Array),
    productCarCampOptionList: expect.any(Array),
  };

  it('G03, G04: has every field, in GET /product as in GET /product/{id}', async () => {
    const { body } = await read('/product/304');
    expect(body).toEqual(product);
    expect((await read('/product')).body).toContainEqual(body);
  });

  it('G05: options name their serial number, name, KM use and whether they are installed; camping options are a list', async () => {
    const { productCarOptionList, productCarCampOptionList } = (await read('/product/304')).body;
    expect(productCarOptionList.length).toBeGreaterThan(0);
    for (const option of productCarOptionList)
      expect(option).toEqual({
        optionId: integer,
        optionName: text,
        kmOption: text,
        selectedYn: expect.stringMatching(/^[YN]$/),
      });
    expect(productCarCampOptionList).toContainEqual({ optionId: 51, optionName: '냉장고', selectedYn: 'Y' });
    expect((await read('/product/301')).body).not.toHaveProperty('productCarCampOptionList');
  });
});

describe('the car object', () => {
  it('G06: has every field, in GET /car as in GET /car/{id}', async () => {
    const { body } = await read('/car/1001');
    expect(body).toEqual({
      carId: 1001,
      businessLicenseId: 11,
      businessName: text,
      carNumber: text,
      carTypeFuelCd: integer,
      fuelTypeName: text,
      gradeCd: integer,
      gradeName: text,
      carTypeName: text,
      modelYear: integer,
      detailModelName: text,
      displacement: integer,
      seatCount: integer,
      vin: text,
      colour: text,
      registrationDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      modifierName: text,
      modifiedAt: moment,
      simNumber: text,
      registrationFile: { fileId: integer, fileName: text },
      carOptionList: expect.any(Array),
      deviceEquipYn: expect.stringMatching(/^[YN]$/),
    });
    expect((await read('/car')).body).toContainEqual(body);
  });

  it('G06: options are three levels of key and name, with an installed flag', async () => {
    const [option] = (await read('/car/1001')).body.carOptionList;
    expect(option).toEqual({
      optionKey1: text,
      optionNm1: text,
      optionKey2: text,
      optionNm2: text,
      optionKey3: text,
      optionNm3: text,
      optionValue: expect.stringMatching(/^[YN]$/),
    });
  });

  it.each([
    ['businessLicenseId=12', 5],
    ['carTypeFuelCd=4', 3],
    ['carNumber=12%EA%B0%803456', 1],
    ['deviceEquipYn=N', 0],
    ['businessLicenseId=11&carTypeFuelCd=2&deviceEquipYn=Y', 3],
  ])('G23: GET /car?%s returns %i', async (query, count) => {
    expect((await read(`/car?${query}`)).body).toHaveLength(count);
  });
});

describe('the schedule list', () => {
  it('has schedules of both types, grouped by car, filtered by car number and model', async () => {
    const startAt = '2033-03-03T10:00:00.000+09:00';
    const endAt = '2033-03-03T12:00:00.000+09:00';
    const id = await client.booked({ startAt, endAt });
    const { carId, carNumber } = await client.truth(id);
    const body = { startDateTimeStr: endAt, endDateTimeStr: '2033-03-04T00:00:00+09:00', reason: '점검' };
    for (const car of [carId, 2001])
      await client.call('POST', '/schedule', { key: keys.supplier, body: { carId: car, ...body } });
    const list = async (query: string) =>
      (await read(`/schedule?startDate=2033-03-03&endDate=2033-03-03${query}`, keys.supplier)).body.map(
        (group: { carId: number; schedules: { scheduleType: string }[] }) => [
          group.carId,
          group.schedules.map(({ scheduleType }) => scheduleType).join(''),
        ],
      );
    const both = [carId, 'RS'];
    expect(await list('')).toEqual([both, [2001, 'S']]);
    expect(await list(`&carNumber=${encodeURIComponent(carNumber)}`)).toEqual([both]);
    expect(await list(`&detailModelName=${encodeURIComponent('카니발 KA4')}`)).toEqual([[2001, 'S']]);
  });
});

describe('the endpoints', () => {
  it('are exactly those of the specification, each under its method and path', () => {
    const served = Object.values(defaultProfile.operations).map(({ method, path }) => `${method} ${path}`);
    const command = '/developer/v1/reservation/{id}';
    expect(served.sort()).toEqual(
      [
        'POST /reservations',
        `PUT ${command}/dispatch/staff`,
        `PUT ${command}/dispatch/start`,
        `POST ${command}/dispatch/parkingImage`,
        `POST ${command}/dispatch/carImage`,
        `PUT ${command}/dispatch/complete`,
        `PUT ${command}/recall/staff`,
        `POST ${command}/recall/carImage`,
        `PUT ${command}/recall/complete`,
        'GET /product',
        'GET /product/{id}',
        'GET /product/fareId/{fareId}',
        'GET /product/{id}/relatedCar',
        'PUT /product/{id}/car/{carId}/sale_status',
        'GET /schedule',
        'GET /schedule/{id}',
        'POST /schedule',
        'PUT /schedule/{id}',
        'DELETE /schedule/{id}',
        'GET /car',
        'GET /car/{id}',
        'GET /car/{id}/memo',
        'POST /car/{id}/memo',
      ].sort(),
    );
  });

  it.each([
    ['POST', '/car'],
    ['PUT', '/car/1001'],
    ['DELETE', '/car/1001'],
    ['POST', '/product'],
    ['PUT', '/product/301'],
    ['DELETE', '/product/301'],
    ['GET', '/reservations'],
  ])('%s %s is none of them: the path has other methods', async (method, path) => {
    const { status, body } = await client.call(method, path, { key: keys.supplier });
    expect({ status, code: body.code }).toEqual({ status: 405, code: 'NOT_FOUND' });
  });

  it.each([
    ['GET', '/reservations/8001'],
    ['PUT', '/reservation/8001/dispatch/start'],
  ])('%s %s is none of them', async (method, path) => {
    expect(await client.call(method, path, { key: keys.supplier })).toMatchObject(missing);
  });
});
