import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Car, Product } from '../../../src/platform/model.js';
import { defaultProfile } from '../../../src/platform/profiles/default/index.js';
import type { Finding } from '../../../src/tools/doctor/finding.js';
import { checkPlatform } from '../../../src/tools/doctor/platform/index.js';
import { deadAddress, httpPeer } from '../../support/http-peer.js';

const { operations, errors } = defaultProfile;
const product = (productId: number): Product => ({
  productId,
  productName: `product ${productId}`,
  manufacturerCd: 1,
  seatCount: 5,
  modelCd: 1,
  detailModelCd: 1,
  detailModelName: 'model',
  carTypeFuelCd: 1,
  fuelTypeName: 'fuel',
  insuranceAge: 'O',
  licenseType: 'O',
  fareId: 9,
  modifierName: 'A PERSON',
  modifiedAt: 0,
  productApproveStatus: 1,
  basicSectionFareInfo: {
    fareId: 9,
    fareName: 'fare',
    baseFare: 1,
    maxFare: 2,
    weekday: { daily: 1, hourly: 1 },
    weekend: { daily: 1, hourly: 1 },
  },
  productCarOptionList: [],
});
const car = (carId: number): Car => ({
  carId,
  businessLicenseId: 11,
  businessName: 'company',
  carNumber: `number ${carId}`,
  carTypeFuelCd: 1,
  fuelTypeName: 'fuel',
  gradeCd: 1,
  gradeName: 'grade',
  carTypeName: 'type',
  modelYear: 2026,
  detailModelName: 'model',
  displacement: 1,
  seatCount: 5,
  vin: 'VIN',
  colour: 'red',
  registrationDate: '2026-01-01',
  modifierName: 'A PERSON',
  modifiedAt: 0,
  simNumber: '1',
  carOptionList: [],
  deviceEquipYn: 'Y',
});
const wireOf = <T>(schema: unknown, value: T) => z.encode(schema as z.ZodType<T>, value);
const products = (ids: number[]) =>
  wireOf(operations.listProducts.success.schema, { items: ids.map(product) }) as Record<string, unknown>[];
const cars = (ids: number[]) => wireOf(operations.listCars.success.schema, { items: ids.map(car) });

interface Asked {
  path: string;
  query: URLSearchParams;
  key: string | undefined;
}
type Says = (asked: Asked) => [status: number, body: unknown, headers?: Record<string, string>] | undefined;

const refusal = (code: Parameters<typeof errors.encode>[0]['code']): [number, unknown] => {
  const { status, body } = errors.encode({ code, message: 'words of the PLATFORM' });
  return [status, body];
};
/** A platform as the default profile has it, with two products and three cars. */
const asDefault: Says = ({ path, query, key }) => {
  if (key === undefined) return refusal('UNAUTHORIZED');
  const ids = [1, 2].filter((id) => [null, `product ${id}`].includes(query.get('productName')));
  if (path === '/product' || path.startsWith('/product/fareId')) return [200, products(ids)];
  if (path === '/product/1') return [200, products([1])[0]];
  if (path.endsWith('/relatedCar'))
    return [200, [{ carId: 1, carNumber: '1', detailModelName: 'model', saleYn: 'Y' }]];
  const numbers = [1, 2, 3].filter((id) => [null, `number ${id}`].includes(query.get('carNumber')));
  if (path === '/car') return [200, cars(numbers)];
  if (path === '/car/1') return [200, (cars([1]) as unknown[])[0]];
  if (path === '/car/1/memo' || path === '/schedule') return [200, []];
  return refusal('NOT_FOUND');
};

/** @param says what differs from the default */
async function findingsOn(says: Says = () => undefined): Promise<Finding[]> {
  const peer = await httpPeer((response: ServerResponse, { url, headers, method }) => {
    expect(method).toBe('GET');
    const { pathname: path, searchParams: query } = new URL(url, 'http://platform');
    const key = headers.authorization?.replace('Bearer ', '');
    const asked = { path, query, key };
    const [status, body, extra = {}] = says(asked) ?? asDefault(asked) ?? [500, ''];
    response.writeHead(status, extra).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const found: Finding[] = [];
  const keys = { supplier: 'key-of-the-supplier' };
  for await (const finding of checkPlatform(peer.url, defaultProfile, keys)) found.push(finding);
  expect(JSON.stringify(found)).not.toMatch(/key-of-the-supplier|A PERSON|words of the PLATFORM/);
  return found;
}
const troubles = (found: Finding[]) =>
  found
    .filter(({ result }) => result === 'warn' || result === 'fail')
    .map(({ result, check, gaps = [] }) => [result, check, ...gaps].join(' '));

it('F82: a platform that matches its profile has no finding', async () => {
  expect(troubles(await findingsOn())).toEqual([]);
});

const without = (field: string) => products([1, 2]).map(({ [field]: _, ...rest }) => rest);
const onProducts =
  (body: unknown): Says =>
  ({ path, key }) =>
    path === '/product' && key !== undefined ? [200, body] : undefined;

it.each<[string, Says, string[]]>([
  [
    'a field has another name',
    onProducts(without('detailModelName')),
    ['warn GET /product G03', 'warn GET /product?productName= G22'],
  ],
  [
    'the fares have another name',
    onProducts(without('basicSectionFareInfo')),
    ['warn GET /product G04', 'warn GET /product?productName= G22'],
  ],
  [
    'the options have another name',
    onProducts(without('productCarOptionList')),
    ['warn GET /product G05', 'warn GET /product?productName= G22'],
  ],
  [
    'items are wrapped',
    onProducts({ data: products([1, 2]), total: 2 }),
    ['fail GET /product G21', 'warn GET /product?productName= G22'],
  ],
  [
    'a list has exactly the size of a usual page',
    onProducts(products(Array.from({ length: 100 }, (_, i) => i + 1))),
    ['warn GET /product: pages G21', 'warn GET /product?productName= G22'],
  ],
  ['a list is no JSON', onProducts('<html>'), ['fail GET /product G21']],
  [
    'a success has another HTTP status',
    ({ path }) => (path === '/car/1' ? [203, (cars([1]) as unknown[])[0]] : undefined),
    ['warn GET /car/{id} G24'],
  ],
  [
    'filters are not heeded',
    ({ path, key }) => (path === '/car' && key ? [200, cars([1, 2, 3])] : undefined),
    ['warn GET /car?carNumber= G23'],
  ],
  [
    'a date is written otherwise',
    ({ path }) => (path === '/schedule' ? refusal('INVALID_REQUEST') : undefined),
    ['warn role of the supplier key', 'fail GET /schedule G18'],
  ],
  [
    'a group of schedules does not fit',
    ({ path }) => (path === '/schedule' ? [200, [{ car: 1 }]] : undefined),
    ['fail GET /schedule G09'],
  ],
  [
    'moments of schedules have no offset',
    ({ path }) => {
      const period = { startDateTimeStr: '2026-11-21T09:00:00', endDateTimeStr: '2026-11-21T10:00:00' };
      const entry = { scheduleId: 1, carId: 1, scheduleType: 'S', ...period, reason: 'r' };
      const group = { carId: 1, carNumber: '1', detailModelName: 'm', schedules: [entry] };
      return path === '/schedule' ? [200, [group]] : undefined;
    },
    ['fail GET /schedule G19', 'fail GET /schedule/{id}'],
  ],
  [
    'an unknown product is refused without a code',
    ({ path }) => (/2147483647/.test(path) ? [404, 'gone'] : undefined),
    ['warn a product that is not there G25'],
  ],
  [
    'an unknown product is answered with success',
    ({ path }) => (/2147483647/.test(path) ? [200, {}] : undefined),
    ['fail a product that is not there G25'],
  ],
  [
    'an unknown product is refused by a plain 400',
    ({ path }) => (/2147483647/.test(path) ? [400, {}] : undefined),
    ['fail a product that is not there G25'],
  ],
  [
    'a redirect leads elsewhere',
    ({ path }) => (path === '/car' ? [302, '', { location: 'http://x' }] : undefined),
    ['fail GET /car'],
  ],
  [
    'the cars belong to two companies',
    ({ path, query, key }) =>
      path === '/car' && key && !query.has('carNumber')
        ? [200, [...(cars([1]) as object[]), { ...(cars([2]) as object[])[0], businessLicenseId: 12 }]]
        : undefined,
    ['warn company of the supplier key G27'],
  ],
  [
    'the platform answers without a key',
    ({ path, key }) => (path === '/product' && !key ? [200, products([1, 2])] : undefined),
    ['warn no key'],
  ],
])('F82: the doctor reports a platform where %s', async (_, says, expected) => {
  const found = await findingsOn(says);
  expect(troubles(found)).toEqual(expected);
  for (const { result, todo } of found) if (result === 'fail') expect(todo).toMatch(/\S/);
});

it.each([
  [401, 'UNAUTHORIZED', /does not know it/],
  [403, 'FORBIDDEN', /knows it and lets it read no products/],
] as const)(
  'F81: %d for a key is reported, and nothing more is read with that key',
  async (_, code, words) => {
    const found = await findingsOn(({ key }) => (key === undefined ? undefined : refusal(code)));
    expect(found.find(({ check }) => check === 'supplier key')).toMatchObject({
      result: 'fail',
      says: expect.stringMatching(words),
      goLive: 'authentication',
    });
    expect(found.filter(({ area, result }) => area === 'wire profile' && result !== 'skip')).toEqual([]);
  },
);

it.each([
  [0, 'ok'],
  [-30_000, 'warn'],
  [600_000, 'fail'],
] as const)('F83: a clock that differs by %d ms is reported as %s', async (apart, result) => {
  const date = () => new Date(Date.now() + apart).toUTCString();
  const found = await findingsOn((asked) => {
    const [status, body] = asDefault(asked) ?? [500, ''];
    return [status, body, { date: date() }];
  });
  expect(found.find(({ check }) => check === 'clock')?.result).toBe(result);
});

it('F86: an address that holds a user and a password is refused as at the start, and not shown', async () => {
  const peer = await httpPeer((response) => response.end());
  const found: Finding[] = [];
  const address = peer.url.replace('//', '//user:hush@');
  for await (const finding of checkPlatform(address, defaultProfile, {})) found.push(finding);
  expect(found.at(-1)).toMatchObject({
    result: 'fail',
    says: expect.stringContaining('without credentials'),
  });
  expect(JSON.stringify(found)).not.toContain('hush');
  expect(peer.requests).toEqual([]);
});

it('F80: where no connection opens, no request is sent', async () => {
  const found: Finding[] = [];
  for await (const finding of checkPlatform(await deadAddress(), defaultProfile, {})) found.push(finding);
  expect(found).toMatchObject([
    { result: 'fail', goLive: 'firewall', says: expect.stringContaining('ECONNREFUSED') },
  ]);
});
