import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let sandbox: TestSandbox;
let client: SandboxClient;
const missing = { status: 404, body: { code: 'NOT_FOUND' } };
const invalid = { status: 400, body: { code: 'INVALID_REQUEST', message: expect.any(String) } };

beforeAll(async () => {
  sandbox = await startTestSandbox();
  client = sandboxClient(sandbox);
});
afterAll(() => sandbox.dispose());

describe('sale status (G17)', () => {
  const set = (
    carId: number | string,
    body: unknown,
    productId: number | string = 302,
    key = keys.supplier,
  ) => client.call('PUT', `/product/${productId}/car/${carId}/sale_status`, { key, body });
  const shown = async () =>
    (await client.call('GET', '/product/302/relatedCar', { key: keys.channel })).body.map(
      ({ saleYn }: { saleYn: string }) => saleYn,
    );

  it('either value can be set directly, and shows in relatedCar at once', async () => {
    expect(await set(2001, { saleYn: 'N' })).toEqual({
      status: 200,
      body: { productId: 302, carId: 2001, saleYn: 'N' },
    });
    expect(await shown()).toEqual(['N', 'Y', 'Y']);
    expect((await set(2001, { saleYn: 'N' })).status).toBe(200);
    expect((await set(2001, { saleYn: 'Y' })).body.saleYn).toBe('Y');
    expect(await shown()).toEqual(['Y', 'Y', 'Y']);
  });

  it('a car off sale gets no new booking and keeps its present ones', async () => {
    const period = client.nextPeriod();
    const first = await client.booked({ productId: 302, ...period });
    const { carId } = await client.truth(first);
    for (const id of [2001, 2002, 2003]) await set(id, { saleYn: 'N' });
    expect(await client.book({ productId: 302 })).toMatchObject({
      status: 409,
      body: { code: 'NO_AVAILABILITY' },
    });
    expect((await client.truth(first)).carId).toBe(carId);
    await set(2003, { saleYn: 'Y' });
    expect((await client.truth(await client.booked({ productId: 302 }))).carId).toBe(2003);
    for (const id of [2001, 2002]) await set(id, { saleYn: 'Y' });
  });

  it.each([
    ['nothing', undefined],
    ['no saleYn', {}],
    ['another letter', { saleYn: 'X' }],
    ['a lower-case letter', { saleYn: 'y' }],
    ['a boolean', { saleYn: true }],
    ['a list', []],
    ['a null', null],
  ])('%s in the body is refused and changes nothing', async (_what, body) => {
    expect(await set(2001, body)).toMatchObject(invalid);
    expect(await shown()).toEqual(['Y', 'Y', 'Y']);
  });

  it('an unknown product or car, one that the product does not have, and another company’s: NOT_FOUND', async () => {
    for (const [product, car] of [
      [1, 2001],
      [302, 1],
      [302, 1001],
      [303, 3001],
    ])
      expect(await set(car as number, { saleYn: 'N' }, product)).toMatchObject(missing);
    expect(await set(2001, { saleYn: 'N' }, 302, keys.otherSupplier)).toMatchObject(missing);
    expect(await set('x', { saleYn: 'N' })).toMatchObject(invalid);
    expect(await set(2001, { saleYn: 'N' }, 'x')).toMatchObject(invalid);
    expect(await shown()).toEqual(['Y', 'Y', 'Y']);
  });
});

describe('products of a fare plan', () => {
  const of = (fareId: number | string, key = keys.channel) =>
    client.call('GET', `/product/fareId/${fareId}`, { key });

  it('are listed as GET /product shows them', async () => {
    const { body: product } = await client.call('GET', '/product/302', { key: keys.channel });
    expect(product.basicSectionFareInfo.fareId).toBe(702);
    expect(await of(702)).toEqual({ status: 200, body: [product] });
  });

  it('G27: another company’s, and a fare plan that no product has, are NOT_FOUND', async () => {
    expect(await of(702, keys.otherSupplier)).toMatchObject(missing);
    expect((await of(703, keys.otherSupplier)).status).toBe(200);
    expect(await of(1)).toMatchObject(missing);
    for (const bad of ['x', '1.5', '9007199254740993']) expect(await of(bad)).toMatchObject(invalid);
  });
});

describe('car memos (G07)', () => {
  const add = (carId: number | string, body: unknown, key = keys.supplier) =>
    client.call('POST', `/car/${carId}/memo`, { key, body });
  const list = (carId: number | string, key = keys.supplier) =>
    client.call('GET', `/car/${carId}/memo`, { key });

  it('are stored with their writer and moment, ascending; without a writer the company is shown', async () => {
    const now = await client.freeze();
    const first = await add(1001, { content: '엔진오일 교환', writerName: '김정비' });
    const second = await add(1001, { content: '흠집: 뒤 범퍼' });
    const createdAt = new Date(now + 9 * 3_600_000).toISOString().replace('Z', '+0900');
    expect(first).toEqual({
      status: 200,
      body: {
        memoId: first.body.memoId,
        carId: 1001,
        content: '엔진오일 교환',
        writerName: '김정비',
        createdAt,
      },
    });
    expect(second.body.writerName).toBe('한빛렌터카');
    expect(await list(1001)).toEqual({ status: 200, body: [first.body, second.body] });
    expect(await list(1002)).toEqual({ status: 200, body: [] });
  });

  it.each([
    ['nothing', undefined],
    ['no content', { writerName: '김정비' }],
    ['a blank content', { content: ' ' }],
    ['a content that is a number', { content: 5 }],
    ['a writer that is an object', { content: 'a', writerName: {} }],
    ['a blank writer', { content: 'a', writerName: '' }],
    ['a character that no text has', { content: 'a\u0000' }],
    ['half a character', { content: 'a\ud800' }],
  ])('%s in the body is refused and adds nothing', async (_what, body) => {
    expect(await add(1003, body)).toMatchObject(invalid);
    expect((await list(1003)).body).toEqual([]);
  });

  it('G27: of another company’s car, and of one that does not exist, are NOT_FOUND', async () => {
    for (const [car, key] of [
      [1001, keys.otherSupplier],
      [1, keys.supplier],
    ] as const) {
      expect(await list(car, key)).toMatchObject(missing);
      expect(await add(car, { content: 'a' }, key)).toMatchObject(missing);
    }
    expect(await list('x')).toMatchObject(invalid);
    expect(await add('x', { content: 'a' })).toMatchObject(invalid);
  });

  it('above 1 MiB: PAYLOAD_TOO_LARGE', async () => {
    const answer = await add(1003, { content: 'x'.repeat(1024 * 1024) });
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });
});
