import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let sandbox: TestSandbox;
let client: SandboxClient;
let reservationId: number;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  client = sandboxClient(sandbox);
  reservationId = await client.booked();
});
afterAll(() => sandbox.dispose());

const operations = Object.entries(defaultProfile.operations).map(([name, { method, path, roles }]) => ({
  name,
  method,
  path,
  roles,
}));

describe.each(operations)('$name', ({ method, path, roles }) => {
  const address = path.replace(/\{\w+\}/g, '1');

  it('G26: without a key, or with an unknown one, 401', async () => {
    const refused = { status: 401, body: { code: 'UNAUTHORIZED' } };
    expect(await client.call(method, address)).toMatchObject(refused);
    expect(await client.call(method, address, { key: 'unknown' })).toMatchObject(refused);
  });

  it.runIf(roles.length === 1)('G26: with a key of the other role, 403', async () => {
    const key = roles[0] === 'channel' ? keys.supplier : keys.channel;
    expect(await client.call(method, address, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });
});

it("G27: another company's reservation, product and car do not exist", async () => {
  const missing = { status: 404, body: { code: 'NOT_FOUND' } };
  const key = keys.otherSupplier;
  const before = await client.truth(reservationId);
  const steps = [
    ['PUT', 'dispatch/staff', { staffName: '박직원', staffPhone: '0100000' }],
    ['PUT', 'dispatch/start', undefined],
    ['POST', 'dispatch/parkingImage', client.photo()],
    ['POST', 'dispatch/carImage', client.photo()],
    ['PUT', 'dispatch/complete', {}],
    ['PUT', 'recall/staff', { staffName: '박직원', staffPhone: '0100000' }],
    ['POST', 'recall/carImage', client.photo()],
    ['PUT', 'recall/complete', undefined],
  ] as const;
  for (const [method, step, body] of steps) {
    expect(await client.command(method, reservationId, step, body, key)).toMatchObject(missing);
  }
  for (const path of ['/product/301', '/product/301/relatedCar', '/car/1001']) {
    expect(await client.call('GET', path, { key })).toMatchObject(missing);
  }
  expect(await client.truth(reservationId)).toEqual(before);
});

it('G27: a supplier lists its own products and cars, a channel everybody’s', async () => {
  const ids = async (path: string, field: string, key: string) =>
    (await client.call('GET', path, { key })).body.map((item: Record<string, number>) => item[field]);
  expect(await ids('/product', 'productId', keys.channel)).toEqual([301, 302, 303, 304]);
  expect(await ids('/product', 'productId', keys.supplier)).toEqual([301, 302]);
  expect(await ids('/product', 'productId', keys.otherSupplier)).toEqual([303, 304]);
  expect(await ids('/car', 'carId', keys.otherSupplier)).toEqual([3001, 3002, 3003, 4001, 4002]);
  expect(await ids('/product?productApproveStatus=0', 'productId', keys.channel)).toEqual([304]);
  expect(await ids('/car?carNumber=12%EA%B0%803456', 'carId', keys.channel)).toEqual([1001]);
  expect(await ids('/product/301/relatedCar', 'carId', keys.channel)).toEqual([1001, 1002, 1003, 1004]);
});

it('the controls need a key where other machines can reach them', async () => {
  await sandbox.restart({ host: '0.0.0.0' });
  expect(await client.control('GET', '/clock')).toMatchObject({
    status: 401,
    body: { code: 'UNAUTHORIZED' },
  });
  expect((await client.call('GET', '/sandbox/clock', { key: keys.channel })).status).toBe(200);
  expect((await client.call('GET', '/sandbox/clock', { key: keys.supplier })).status).toBe(200);
  await sandbox.restart();
  expect((await client.control('GET', '/clock')).status).toBe(200);
});
