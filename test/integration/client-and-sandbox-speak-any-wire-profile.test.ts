import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallErrorCode } from '../../src/platform/errors.js';
import type { Callback, CallbackKind } from '../../src/platform/model.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/server.js';
import { contraryProfile } from '../profiles/contrary.js';
import { booking, createSureClient, failure, photo, type SureClient } from '../support/platform-client.js';
import { copyOfTemplate } from '../support/sandbox-template.js';

const minute = 60_000;
const hour = 60 * minute;
const staff = { staffName: '이직원', staffPhone: '01011112222' };
/** Company 11 of the small fleet sells product 301 with cars 1001-1004; company 12 product 303. */
const keys = { channel: 'channel-key', supplier: 'supplier-key' };
const otherCompany = 'supplier-key-of-12';

describe.each([defaultProfile, contraryProfile])('client and sandbox under the $name profile', (profile) => {
  let folder: string;
  let sandbox: RunningSandbox;
  let receiver: Server;
  let client: SureClient;
  const received: Callback[] = [];

  const clientWith = (some: Partial<typeof keys>) =>
    createSureClient({ baseUrl: sandbox.url, profile, keys: some });
  const start = Math.ceil(Date.now() / hour) * hour + hour;
  let days = 0;
  /** A booking in a period of its own. */
  const book = () => {
    const startAt = start + days++ * 24 * hour;
    return client.book({ ...booking, productId: 301, startAt, endAt: startAt + 2 * hour });
  };
  const customer = async (id: number, move: 'start-use' | 'return' | 'cancel') =>
    (await fetch(`${sandbox.url}/sandbox/reservations/${id}/${move}`, { method: 'POST' })).ok;
  const callbacksOf = (id: number) =>
    received.filter((callback) =>
      'reservation' in callback ? callback.reservation.reservationId === id : callback.reservationId === id,
    );
  const statusesOf = (id: number, kind: CallbackKind) =>
    callbacksOf(id)
      .filter((callback) => callback.kind === kind)
      .map((callback) => ('reservation' in callback ? callback.reservation : callback))
      .map((callback) => ('reservationStatus' in callback ? callback.reservationStatus : undefined));

  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const kinds = Object.entries(profile.callbacks.paths) as [CallbackKind, string][];
      const kind = kinds.find(([, path]) => path === request.url)?.[0];
      if (kind) received.push(profile.callbacks.decode(kind, JSON.parse(Buffer.concat(chunks).toString())));
      response.writeHead(kind ? 204 : 404).end();
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    folder = await copyOfTemplate();
    sandbox = await startSandbox({
      host: '127.0.0.1',
      port: 0,
      folder,
      profile,
      fleet: 'small',
      logger: pino({ level: 'silent' }),
      keys: [
        { role: 'channel', key: keys.channel },
        { role: 'supplier', key: keys.supplier, companyId: 11 },
        { role: 'supplier', key: otherCompany, companyId: 12 },
      ],
      callback: { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` },
    });
    client = clientWith(keys);
  });
  afterAll(async () => {
    await client?.close();
    await sandbox?.close();
    receiver.closeAllConnections();
    await new Promise((closed) => receiver.close(closed));
    await rm(folder, { recursive: true, force: true });
  });

  it('a reservation goes from booking to recall complete', async () => {
    const booked = await book();
    expect(booked).toMatchObject({ status: profile.behaviour.bookingStatus, pickupAt: start });
    const id = booked.reservationId;

    const answers = [
      await client.dispatchStaff(id, staff),
      await client.dispatchStart(id),
      await client.dispatchParkingImage(id, photo, { parkingMemo: 'B2 14', parkingLotType: 1 }),
      await client.dispatchCarImage(id, photo),
      await client.dispatchComplete(id, {}),
    ];
    expect(await customer(id, 'start-use')).toBe(true);
    answers.push(await client.recallStaff(id, staff));
    expect(await customer(id, 'return')).toBe(true);
    answers.push(await client.recallCarImage(id, photo), await client.recallComplete(id));

    const silent = profile.operations.recallComplete.success.schema === undefined;
    expect(answers).toEqual(
      [5, 10, 10, 10, 15, 20, 30, 35].map((reservationStatus) =>
        silent ? {} : { reservationId: id, reservationStatus },
      ),
    );

    await expect.poll(() => statusesOf(id, 'status').at(-1)).toBe(35);
    expect(statusesOf(id, 'status')).toEqual([10, 15, 20, 30, 35]);
    expect(statusesOf(id, 'registration')).toEqual([5]);
    const updates = new Set(statusesOf(id, 'update'));
    if (profile.behaviour.emits.status.includes('update')) {
      await expect.poll(() => statusesOf(id, 'update').at(-1)).toBe(35);
      expect(updates).toEqual(new Set([10, 15, 20, 30, 35]));
    } else expect(updates).toEqual(new Set([10]));

    const parked = callbacksOf(id).find(
      (callback) => callback.kind === 'update' && callback.reservation.parkingMemo,
    );
    expect(parked).toMatchObject({ reservation: { parkingMemo: 'B2 14', parkingLotType: 1 } });
  });

  it('the registration callback carries the booking', async () => {
    const { reservationId, carNumber, pickupAt, returnAt } = await book();
    await expect.poll(() => callbacksOf(reservationId)).toHaveLength(1);
    const { driver, pickupAddress } = booking;
    expect(callbacksOf(reservationId)).toMatchObject([
      {
        kind: 'registration',
        reservation: {
          reservationStatus: 5,
          carNumber,
          companyId: 11,
          startAt: pickupAt,
          endAt: returnAt,
          pickupAddress,
          driverName: driver.name,
          driverBirth: driver.birth,
          driverPhone: driver.phone,
          driverLicenseNumber: driver.licenseNumber,
          driverAddress: driver.address,
          productInfo: { productId: 301 },
        },
      },
    ]);
    expect(callbacksOf(reservationId)[0]).not.toHaveProperty('reservation.companionInfo');
  });

  it('G21: lists come whole and in the order of their ids', async () => {
    const supplier = { as: 'supplier' } as const;
    expect((await client.listCars({}, supplier)).map(({ carId }) => carId)).toEqual([
      1001, 1002, 1003, 1004, 2001, 2002, 2003,
    ]);
    expect(
      (await client.listProducts({ productApproveStatus: 1 })).map(({ productId }) => productId),
    ).toEqual([301, 302, 303]);
    expect((await client.listRelatedCars(301)).map(({ carId, saleYn }) => `${carId}${saleYn}`)).toEqual([
      '1001Y',
      '1002Y',
      '1003Y',
      '1004Y',
    ]);
  });

  it('G22, G23: lists are filtered', async () => {
    const cars = await client.listCars({ carNumber: '12가3456', deviceEquipYn: 'Y' });
    expect(cars.map(({ carId, carNumber }) => [carId, carNumber])).toEqual([[1001, '12가3456']]);
    expect(await client.listCars({ carNumber: 'none' })).toEqual([]);
    expect(
      (await client.listProducts({ productName: '카니발 패밀리' })).map(({ productId }) => productId),
    ).toEqual([302]);
  });

  it('one product and one car are read as in their lists', async () => {
    const [product] = await client.listProducts();
    const [car] = await client.listCars();
    expect(await client.getProduct(product?.productId ?? 0)).toEqual(product);
    expect(await client.getCar(car?.carId ?? 0)).toEqual(car);
    expect((await client.getProduct(301)).basicSectionFareInfo.weekday.daily).toBeGreaterThan(0);
  });

  it('G08, G09: a booking appears as an R schedule of its car', async () => {
    const { carNumber, pickupAt, returnAt } = await book();
    const day = new Date(pickupAt + profile.zone.offsetMinutes * minute).toISOString().slice(0, 10);
    const groups = await client.listSchedules({ startDate: day, endDate: day, carNumber });
    expect(groups.map((group) => group.carNumber)).toEqual([carNumber]);
    expect(groups[0]?.schedules).toMatchObject([
      {
        scheduleType: 'R',
        startAt: pickupAt,
        endAt: returnAt,
        reason: profile.behaviour.reservationScheduleReason,
      },
    ]);
  });

  it('G17: a car goes off sale and back', async () => {
    expect(await client.setSaleStatus(302, 2001, 'N')).toEqual({ productId: 302, carId: 2001, saleYn: 'N' });
    expect((await client.listRelatedCars(302)).map(({ saleYn }) => saleYn)).toEqual(['N', 'Y', 'Y']);
    expect((await client.setSaleStatus(302, 2001, 'Y')).saleYn).toBe('Y');
    expect((await client.listRelatedCars(302)).map(({ saleYn }) => saleYn)).toEqual(['Y', 'Y', 'Y']);
  });

  it('G20: an external schedule is registered, read, edited and deleted', async () => {
    const asked = { carId: 2001, startAt: start, endAt: start + hour, reason: '점검' };
    const made = await client.addSchedule(asked);
    expect(made).toEqual({ ...asked, scheduleId: made.scheduleId, scheduleType: 'S' });
    expect(await client.getSchedule(made.scheduleId)).toEqual(made);
    const later = { ...asked, endAt: start + 2 * hour };
    expect(await client.changeSchedule(made.scheduleId, later)).toEqual({ ...made, ...later });
    expect(await client.deleteSchedule(made.scheduleId)).toBeUndefined();
    expect((await failure(client.getSchedule(made.scheduleId))).code).toBe('NOT_FOUND');
  });

  it('E011, E012: refusals of schedules keep their codes', async () => {
    const asked = { carId: 2002, startAt: start, endAt: start + hour, reason: '점검' };
    await client.addSchedule(asked);
    expect((await failure(client.addSchedule(asked))).code).toBe('E011');
    const past = { ...asked, startAt: start - 20 * 24 * hour, endAt: start - 19 * 24 * hour };
    const { scheduleId } = await client.addSchedule(past);
    expect((await failure(client.changeSchedule(scheduleId, past))).code).toBe('E012');
  });

  it('G07: memos of a car are written and read', async () => {
    const written = [];
    for (const content of ['하나', '둘', '셋']) written.push(await client.addCarMemo(2003, { content }));
    expect(await client.listCarMemos(2003)).toEqual(written);
    expect(written[0]).toMatchObject({ carId: 2003, content: '하나' });
  });

  it('the products of a fare plan are listed', async () => {
    expect((await client.listProductsOfFare(702)).map(({ productId }) => productId)).toEqual([302]);
  });

  it('G29, G31: a change of the car, the period or the companion is reported as the profile defines', async () => {
    const { reservationId: id, returnAt } = await book();
    const web = async (method: string, step: string, body?: object) => {
      const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const { ok } = await fetch(`${sandbox.url}/sandbox/reservations/${id}/${step}`, { method, ...init });
      expect(ok).toBe(true);
    };
    await expect.poll(() => callbacksOf(id)).toHaveLength(1);
    const callback = callbacksOf(id)[0];
    const previousCarId = callback && 'reservation' in callback ? callback.reservation.carId : 0;
    const carId = previousCarId === 1003 ? 1004 : 1003;
    await web('POST', 'car', { carId });
    await web('POST', 'period', { endAt: new Date(returnAt + hour).toISOString() });
    await web('POST', 'companion', { name: '동승자' });
    await web('DELETE', 'companion');
    const { emits } = profile.behaviour;
    const kinds = [...emits.created, ...emits.car, ...emits.period, ...emits.driver, ...emits.driver];
    await expect.poll(() => callbacksOf(id).map(({ kind }) => kind)).toEqual(kinds);
    const [, car, update, period, companion, alone] = callbacksOf(id);
    expect(car).toMatchObject({ kind: 'car', previousCarId, carId, changedAt: expect.any(Number) });
    expect(update).toMatchObject({ reservation: { carId, productInfo: { carId } } });
    expect(period).toMatchObject({ reservation: { reservationStatus: 5, endAt: returnAt + hour } });
    expect(companion).toMatchObject({ reservation: { companionInfo: { name: '동승자' } } });
    expect(alone).not.toHaveProperty('reservation.companionInfo');
  });

  it('G38: the profile defines whether a customer may cancel while the car is in use', async () => {
    const { reservationId: id } = await book();
    await client.dispatchStart(id);
    await client.dispatchComplete(id, {});
    await customer(id, 'start-use');
    expect(await customer(id, 'cancel')).toBe(profile.behaviour.fromStates[40].includes(20));
  });

  describe('G25: refusals keep their codes', () => {
    const codeOf = async (call: Promise<unknown>): Promise<CallErrorCode> => (await failure(call)).code;

    it('for the state of the reservation', async () => {
      const { reservationId: id } = await book();
      expect(await codeOf(client.dispatchComplete(id, {}))).toBe('ILLEGAL_STATE');
      expect(await codeOf(client.recallComplete(id))).toBe('ILLEGAL_STATE');
    });

    it('for an object that does not exist or belongs to another company (G27)', async () => {
      const { reservationId: id } = await book();
      const other = clientWith({ supplier: otherCompany });
      expect(await codeOf(client.dispatchStart(999_999))).toBe('NOT_FOUND');
      expect(await codeOf(client.getCar(1))).toBe('NOT_FOUND');
      expect(await codeOf(other.dispatchStart(id))).toBe('NOT_FOUND');
      expect(await codeOf(other.getCar(1001))).toBe('NOT_FOUND');
      await other.close();
    });

    it('for the key and the role (G26)', async () => {
      const stranger = clientWith({ supplier: 'who-is-this' });
      const swapped = clientWith({ channel: keys.supplier, supplier: keys.channel });
      expect(await codeOf(stranger.listCars())).toBe('UNAUTHORIZED');
      expect(await codeOf(swapped.book(booking))).toBe('FORBIDDEN');
      expect(await codeOf(swapped.dispatchStart(1))).toBe('FORBIDDEN');
      await Promise.all([stranger.close(), swapped.close()]);
    });

    it('for a period that is taken on every car, or makes no sense', async () => {
      const startAt = start + 1000 * 24 * hour;
      const request = { ...booking, productId: 301, startAt, endAt: startAt + hour };
      await Promise.all(Array.from({ length: 4 }, () => client.book(request)));
      expect(await codeOf(client.book(request))).toBe('NO_AVAILABILITY');
      expect(await codeOf(client.book({ ...request, endAt: startAt }))).toBe('INVALID_REQUEST');
    });

    it('for a file that is no photo', async () => {
      const { reservationId: id } = await book();
      await client.dispatchStart(id);
      const text = { ...photo, bytes: Buffer.from('not an image') };
      expect(await codeOf(client.dispatchCarImage(id, text))).toBe('INVALID_REQUEST');
    });
  });
});
