import { describe, expect, it } from 'vitest';
import { createPlatformClient } from '../../src/platform/client/index.js';
import { allPages } from '../../src/platform/client/pages.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { contraryProfile } from '../profiles/contrary.js';
import { answering, httpPeer } from '../support/http-peer.js';
import { booking, clientOf, failure, photo } from '../support/platform-client.js';

const accepted = answering(200, { reservationId: 5, reservationStatus: 10 });
const booked = {
  reservationId: 8421,
  status: 'CONFIRMED',
  carNumber: '12가3456',
  pickupAt: '2026-11-21T09:00:00.000+09:00',
  returnAt: '2026-11-22T00:00:00Z',
};

describe('requests', () => {
  it('G11: a booking goes out as JSON with the channel key, and its answer comes back in instants', async () => {
    const { url, requests } = await httpPeer(answering(200, booked));
    expect(await clientOf(url).book(booking)).toEqual({
      ...booked,
      pickupAt: booking.startAt,
      returnAt: Date.UTC(2026, 10, 22),
    });
    const [request] = requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/reservations',
      headers: { authorization: 'Bearer channel-key', 'content-type': 'application/json' },
    });
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
      ...booking,
      startAt: '2026-11-21T09:00:00.000+09:00',
      endAt: '2026-11-22T09:00:00.000+09:00',
    });
  });

  it('G13, G14: commands go out with the supplier key, their paths and their bodies', async () => {
    const { url, requests } = await httpPeer(accepted);
    const client = clientOf(url);
    const staff = { staffName: '이직원', staffPhone: '0101112222' };
    await client.dispatchStaff(5, staff);
    await client.dispatchStart(5);
    await client.dispatchComplete(5, { parkingMemo: 'B2', parkingLotType: 1 });
    await client.recallStaff(5, staff);
    await client.recallComplete(5);
    const at = '/developer/v1/reservation/5';
    expect(requests.map(({ method, url: path, body }) => [method, path, body.toString()])).toEqual([
      ['PUT', `${at}/dispatch/staff`, JSON.stringify(staff)],
      ['PUT', `${at}/dispatch/start`, ''],
      ['PUT', `${at}/dispatch/complete`, '{"parkingMemo":"B2","parkingLotType":1}'],
      ['PUT', `${at}/recall/staff`, JSON.stringify(staff)],
      ['PUT', `${at}/recall/complete`, ''],
    ]);
    expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer supplier-key']),
    );
  });

  it('G15: a photo goes out as multipart/form-data of known length, with its facts as text', async () => {
    const { url, requests } = await httpPeer(accepted);
    const client = clientOf(url);
    await client.dispatchParkingImage(5, photo, { parkingMemo: '지하 2층', parkingLotType: 0 });
    await client.dispatchCarImage(5, photo);
    await client.recallCarImage(5, { ...photo, type: 'image/webp' });
    expect(requests.map(({ method, url: path }) => `${method} ${path.slice(25)}`)).toEqual([
      'POST /5/dispatch/parkingImage',
      'POST /5/dispatch/carImage',
      'POST /5/recall/carImage',
    ]);
    const forms = await Promise.all(
      requests.map(({ headers, body }) => {
        expect(headers['content-length']).toBe(String(body.length));
        return new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
      }),
    );
    expect(forms.map((form) => [...form.keys()])).toEqual([
      ['parkingMemo', 'parkingLotType', 'image'],
      ['image'],
      ['image'],
    ]);
    expect([forms[0]?.get('parkingMemo'), forms[0]?.get('parkingLotType')]).toEqual(['지하 2층', '0']);
    const image = forms[0]?.get('image') as File;
    expect([image.type, image.name, new Uint8Array(await image.arrayBuffer())]).toEqual([
      'image/jpeg',
      'photo.jpeg',
      photo.bytes,
    ]);
  });

  it('G18, G22, G23: filters travel in the query, behind the prefix of the base address', async () => {
    const { url, requests } = await httpPeer(answering(200, []));
    const client = clientOf(`${url}/platform/`);
    await client.listProducts({ productApproveStatus: 1, productName: 'a&b=c 가' });
    await client.listProducts();
    await client.listCars({ businessLicenseId: 3, deviceEquipYn: 'Y' });
    await client.listSchedules({ startDate: '2026-11-01', endDate: '2026-11-30', carNumber: '12가3456' });
    await client.listRelatedCars(9);
    expect(requests.map(({ url: path }) => decodeURIComponent(path))).toEqual([
      '/platform/product?productApproveStatus=1&productName=a&b=c+가',
      '/platform/product',
      '/platform/car?businessLicenseId=3&deviceEquipYn=Y',
      '/platform/schedule?startDate=2026-11-01&endDate=2026-11-30&carNumber=12가3456',
      '/platform/product/9/relatedCar',
    ]);
  });
});

describe('our own checks run before a request is sent', () => {
  it('L61: a value that does not fit is INVALID_INPUT with its place, and not sent', async () => {
    const { url, requests } = await httpPeer(accepted);
    const client = clientOf(url);
    const bad = { ...booking, driver: { ...booking.driver, phone: '0107777-8888' } };
    const errors = await Promise.all(
      [
        client.book(bad),
        client.dispatchStaff(5, { staffName: '', staffPhone: '1' }),
        client.getCar(2 ** 53),
        client.dispatchCarImage(5, { ...photo, bytes: new Uint8Array() }),
        client.dispatchCarImage(5, { ...photo, bytes: new Uint8Array(10 * 1024 * 1024 + 1) }),
        client.dispatchCarImage(5, { ...photo, type: 'image/gif' as never }),
        client.listSchedules({ startDate: '2026-02-30', endDate: '2026-03-01' }),
      ].map(failure),
    );
    expect(errors.map(({ code }) => code)).toEqual(Array(7).fill('INVALID_INPUT'));
    expect(errors.map(({ message }) => message.match(/not sent: ([\w.]+):/)?.[1])).toEqual([
      'driver.phone',
      'staffName',
      'id',
      'photo.bytes',
      'photo.bytes',
      'photo.type',
      'startDate',
    ]);
    expect(requests).toEqual([]);
  });

  it('G26: a call whose role has no key, or that is not for the role, is ROLE_OFF and not sent', async () => {
    const { url, requests } = await httpPeer(accepted);
    const channel = clientOf(url, { keys: { channel: 'channel-key' } });
    const supplier = clientOf(url, { keys: { supplier: 'supplier-key' } });
    for (const call of [
      channel.dispatchStart(1),
      channel.listSchedules({ startDate: '2026-11-01', endDate: '2026-11-02' }),
      channel.listCars({}, { as: 'supplier' }),
      supplier.book(booking),
      supplier.dispatchStart(1, { as: 'channel' }),
      clientOf(url, { keys: {} }).listCars(),
    ])
      expect((await failure(call)).code).toBe('ROLE_OFF');
    expect((await failure(channel.dispatchStart(1))).message).toContain('PLATFORM_SUPPLIER_API_KEY');
    expect(requests).toEqual([]);
  });

  it('G26: a call that both roles may make is sent with the present key, or that of the given role', async () => {
    const { url, requests } = await httpPeer(answering(200, []));
    await clientOf(url).listCars();
    await clientOf(url).listCars({}, { as: 'supplier' });
    await clientOf(url, { keys: { supplier: 'supplier-key' } }).listCars();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer channel-key',
      'Bearer supplier-key',
      'Bearer supplier-key',
    ]);
  });

  it.each(['', 'platform', 'ftp://a', 'http://user:pass@a', 'http://a?x=1', 'http://a#x'])(
    'the base address "%s" is refused',
    (baseUrl) => {
      expect(() => createPlatformClient({ baseUrl, profile: defaultProfile, keys: {} })).toThrow(
        /base address/,
      );
    },
  );

  it('a key that cannot travel in a header is refused without being shown', () => {
    const make = () =>
      createPlatformClient({
        baseUrl: 'http://a',
        profile: defaultProfile,
        keys: { channel: 'top\nsecret' },
      });
    expect(make).toThrow(/channel API key/);
    expect(make).not.toThrow(/secret/);
  });
});

describe('G21: lists in pages', () => {
  const pageOf = (path: string) => new URL(path, 'http://a').searchParams.get('page');
  const car = (carId: number) => ({ carId, carNumber: 'n', detailModelName: 'm', saleYn: 'Y' });

  it('are read to their end', async () => {
    const { url, requests } = await httpPeer((response, { url: path }) => {
      const page = pageOf(path);
      response.end(
        JSON.stringify(page === 'b c' ? { items: [car(3)] } : { items: [car(1), car(2)], next: 'b c' }),
      );
    });
    const cars = await clientOf(url, { profile: contraryProfile }).listRelatedCars(9);
    expect(cars.map(({ carId }) => carId)).toEqual([1, 2, 3]);
    expect(requests.map(({ url: path }) => pageOf(path))).toEqual([null, 'b c']);
  });

  it('whose cursors form a circle are UNREADABLE', async () => {
    const { url, requests } = await httpPeer((response, { url: path }) => {
      response.end(JSON.stringify({ items: [], next: pageOf(path) === 'x' ? 'y' : 'x' }));
    });
    const { code } = await failure(clientOf(url, { profile: contraryProfile }).listProducts());
    expect(code).toBe('UNREADABLE');
    expect(requests).toHaveLength(3);
  });

  it('that repeat a page under another name are UNREADABLE', async () => {
    const { url, requests } = await httpPeer((response, { url: path }) => {
      const next = String(Number(pageOf(path) ?? 0) + 1);
      response.end(JSON.stringify({ items: [car(1)], next }));
    });
    const error = await failure(clientOf(url, { profile: contraryProfile }).listRelatedCars(9));
    expect(error).toMatchObject({ code: 'UNREADABLE', message: expect.stringMatching(/repeats.*G21/) });
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['pages', { pages: 5, items: 1_000 }, 5],
    ['items', { pages: 1_000, items: 10 }, 11],
  ])('that never end are UNREADABLE once they have too many %s', async (what, limits, asked) => {
    let pages = 0;
    const endless = async () => ({ items: [++pages], next: `${pages}` });
    const error = await failure(allPages('listCars', endless, limits));
    expect(error).toMatchObject({ code: 'UNREADABLE', message: expect.stringMatching(`${what}.*G21`) });
    expect(pages).toBe(asked);
  });

  it('keep their filter from page to page', async () => {
    const { url, requests } = await httpPeer((response, { url: path }) => {
      response.end(JSON.stringify({ items: [], ...(pageOf(path) === null && { next: '2' }) }));
    });
    const products = await clientOf(url, { profile: contraryProfile }).listProducts({
      productName: 'a',
    });
    expect(products).toEqual([]);
    expect(requests.map(({ url: path }) => path)).toEqual([
      '/product?productName=a',
      '/product?productName=a&page=2',
    ]);
  });
});
