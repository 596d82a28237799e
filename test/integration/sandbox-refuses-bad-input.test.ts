import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformCodes } from '../../src/platform/errors.js';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { hour, jpeg, type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let sandbox: TestSandbox;
let client: SandboxClient;
let id: number;
let before: object;

const mebibyte = 1024 * 1024;
const invalid = { status: 400, body: { code: 'INVALID_REQUEST', message: expect.any(String) } };
const everything = async () => ({
  reservations: (await client.control('GET', '/reservations?limit=500')).body.items,
  one: await client.truth(id),
});

beforeAll(async () => {
  sandbox = await startTestSandbox();
  client = sandboxClient(sandbox);
  id = await client.booked();
  before = await everything();
});
/** Nothing that is refused leaves a trace. */
afterAll(async () => {
  try {
    expect(await everything()).toEqual(before);
  } finally {
    await sandbox.dispose();
  }
});

const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const raw = (path: string, init: RequestInit & { key?: string }) =>
  fetch(sandbox.url + path, {
    ...init,
    headers: { authorization: `Bearer ${init.key ?? keys.channel}`, ...init.headers },
  });
const codeOf = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as { code: string },
});

describe('POST /reservations is refused and changes nothing', () => {
  const driver = (changes: object) => ({ driver: { ...fullDriver, ...changes } });
  const fullDriver = { name: '김', birth: '19900131', phone: '0100', licenseNumber: '1', address: '서울' };
  it.each([
    ['without a product', { productId: undefined }],
    ['with a product id that is text', { productId: '301' }],
    ['with a product id with a fraction', { productId: 301.5 }],
    ['with a product id above 2^53-1', { productId: 2 ** 53 }],
    ['without a start', { startAt: undefined }],
    ['with a start without an offset', { startAt: '2031-05-05T10:00:00.000' }],
    ['with a date that does not exist', { startAt: '2031-02-30T10:00:00.000+09:00' }],
    ['with a time that does not exist', { startAt: '2031-02-03T25:00:00.000+09:00' }],
    ['with a number for a time', { startAt: 5 }],
    ['with an end before the start', { startAt: at(5 * hour), endAt: at(4 * hour) }],
    [
      'with an end equal to the start',
      { startAt: '2031-05-05T10:00:00Z', endAt: '2031-05-05T19:00:00+09:00' },
    ],
    ['with a start long ago', { startAt: at(-2 * hour), endAt: at(hour) }],
    ['with an end that has passed', { startAt: at(-hour / 2), endAt: at(-hour / 4) }],
    ['without an address', { pickupAddress: undefined }],
    ['with a blank address', { pickupAddress: '  ' }],
    ['with a character that no text has', { pickupAddress: 'a\u0000b' }],
    ['with half a character', { pickupAddress: 'a\ud800b' }],
    ['without a driver', { driver: undefined }],
    ['with a driver that is a list', { driver: [] }],
    ['without a driver’s name', driver({ name: undefined })],
    ['with a birth date that does not exist', driver({ birth: '19900231' })],
    ['with a birth date with dashes', driver({ birth: '1990-01-31' })],
    ['with a phone number with dashes', driver({ phone: '010-0000-0000' })],
    ['with a companion whose phone is no number', { companionInfo: { phone: 'none' } }],
    ['with a companion that is text', { companionInfo: '동승자' }],
    ['with a memo that is a number', { pickupMemo: 5 }],
  ])('%s', async (_what, changes) => {
    expect(await client.book(changes)).toMatchObject(invalid);
  });

  it('the message names the field and never repeats the value', async () => {
    const { body } = await client.book(driver({ phone: '010-9999-1234', birth: '19900231' }));
    expect(body.message).toContain('driver.phone: expected digits only');
    expect(body.message).toContain('driver.birth: expected a birth date');
    expect(body.message).not.toMatch(/9999|19900231/);
  });

  it.each([
    ['malformed JSON', '{"productId": 301,', 'application/json'],
    ['a prototype', '{"__proto__": {"productId": 301}}', 'application/json'],
    ['JSON of another kind', '[1]', 'application/json'],
    ['a null', 'null', 'application/json'],
    ['another content type', 'productId=301', 'application/x-www-form-urlencoded'],
    ['plain text', 'book', 'text/plain'],
    ['nothing at all', '', 'application/json'],
  ])('with %s', async (_what, body, type) => {
    const response = await raw('/reservations', { method: 'POST', body, headers: { 'content-type': type } });
    expect(await codeOf(response)).toMatchObject(invalid);
  });

  it('with a body above 1 MiB: PAYLOAD_TOO_LARGE', async () => {
    const body = { ...client.bookingBody(), pickupMemo: 'x'.repeat(mebibyte) };
    const answer = await client.call('POST', '/reservations', { key: keys.channel, body });
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });
});

describe('a command is refused and changes nothing', () => {
  it.each(['abc', '1.5', '9007199254740993', '%20', '-'])('with %s for an id', async (bad) => {
    expect(await client.command('PUT', bad, 'dispatch/start')).toMatchObject(invalid);
  });
  it.each(['0', '-5', '9007199254740991'])('with the unknown id %s: NOT_FOUND', async (unknown) => {
    const answer = await client.command('PUT', unknown, 'dispatch/start');
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
  it.each([
    ['no body', undefined],
    ['no phone', { staffName: '이' }],
    ['a phone with dashes', { staffName: '이', staffPhone: '010-1' }],
    ['a blank name', { staffName: ' ', staffPhone: '0101' }],
    ['a character that no text has', { staffName: 'a\u0000', staffPhone: '0101' }],
  ])('staff with %s', async (_what, body) => {
    expect(await client.command('PUT', id, 'dispatch/staff', body)).toMatchObject(invalid);
  });
  it.each([
    ['a lot type out of range', { parkingLotType: 2 }],
    ['a lot type that is text', { parkingLotType: '1' }],
    ['a memo that is an object', { parkingMemo: {} }],
  ])('dispatch/complete with %s', async (_what, body) => {
    expect(await client.command('PUT', id, 'dispatch/complete', body)).toMatchObject(invalid);
  });
});

describe('a photo is refused and changes nothing', () => {
  const send = (form: unknown) => client.command('POST', id, 'dispatch/parkingImage', form);
  it('that is no image', async () => {
    expect(await send(client.photo(new TextEncoder().encode('GIF89a…')))).toMatchObject(invalid);
  });
  it('that is empty', async () => {
    expect(await send(client.photo(new Uint8Array()))).toMatchObject(invalid);
  });
  it('in another field', async () => {
    expect(await send(client.photo(jpeg, {}, 'file'))).toMatchObject(invalid);
  });
  it('with a bad text field', async () => {
    expect(await send(client.photo(jpeg, { parkingLotType: 'paid' }))).toMatchObject(invalid);
    expect(await send(client.photo(jpeg, { parkingMemo: 'a\u0000b' }))).toMatchObject(invalid);
  });
  it('two at a time', async () => {
    const two = client.photo();
    two.append('image', new Blob([jpeg as Uint8Array<ArrayBuffer>]), 'second.jpg');
    const { status } = await send(two);
    expect([400, 413]).toContain(status);
  });
  it('as JSON, and as a multipart body that breaks off', async () => {
    expect(await send({ image: 'bytes' })).toMatchObject(invalid);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const path = `/developer/v1/reservation/${id}/dispatch/parkingImage`;
    const torn = await raw(path, {
      method: 'POST',
      key: keys.supplier,
      body: '--x\r\ncontent-disp',
      headers,
    });
    expect(await codeOf(torn)).toMatchObject(invalid);
  });
  it('above 10 MiB: PAYLOAD_TOO_LARGE', async () => {
    const large = new Uint8Array(10 * mebibyte + 1);
    large.set(jpeg);
    expect(await send(client.photo(large))).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE' },
    });
  });
});

describe('reading is refused', () => {
  it.each([
    '/product?productApproveStatus=2',
    '/product?carTypeFuelCd=x',
    '/product?productName=%00',
    '/product/abc',
    '/car?deviceEquipYn=maybe',
    '/car?businessLicenseId=1.5',
    '/schedule',
    '/schedule?startDate=2031-02-30&endDate=2031-03-01',
    '/schedule?startDate=20310301&endDate=20310302',
    '/schedule?startDate=2031-03-01&startDate=2031-03-01&endDate=2031-03-01',
    '/product?page=x',
    '/product/%zz',
  ])('GET %s', async (path) => {
    const answer = await client.call('GET', path, { key: keys.supplier });
    if (path.includes('page'))
      expect(answer.status).toBe(200); // no such parameter in this profile: ignored (G21)
    else expect(answer).toMatchObject(invalid);
  });

  it.each([
    ['GET', '/nowhere', 404],
    ['DELETE', '/reservations', 405],
    ['POST', '/product', 405],
    ['QUERY', '/product', 405],
    ['PATCH', '/developer/v1/reservation/1/dispatch/start', 405],
    ['POST', '/developer/v1/reservation/1/dispatch/start', 405],
    ['GET', '/photos/none', 404],
    ['GET', '/sandbox/nowhere', 404],
  ])('%s %s: NOT_FOUND with %i', async (method, path, status) => {
    const answer = await client.call(method, path, { key: keys.supplier });
    expect(answer).toMatchObject({ status, body: { code: 'NOT_FOUND' } });
  });

  it('an impossible photo id is refused', async () => {
    expect(await client.call('GET', '/photos/a%00b', { key: keys.supplier })).toMatchObject(invalid);
  });

  it('no entry lies in a period that ends before it starts', async () => {
    const path = '/schedule?startDate=2031-03-02&endDate=2031-03-01';
    expect(await client.call('GET', path, { key: keys.supplier })).toMatchObject({ status: 200, body: [] });
  });
});

describe('a control is refused and changes nothing', () => {
  it.each([
    ['/clock', { advanceBy: 'two hours' }],
    ['/clock', { advanceBy: 'P' }],
    ['/clock', { advanceTo: '2031-01-01T00:00:00' }],
    ['/clock', { advanceTo: '0000-01-01T00:00:00Z' }],
    ['/clock', { freeze: true, resume: true }],
    ['/clock', {}],
    ['/reservations/abc/cancel', undefined],
    ['/reservations/8001/car', { carId: 'x' }],
    ['/reservations/8001/car', {}],
    ['/reservations/8001/period', { endAt: 'tomorrow' }],
    ['/reservations/8001/period', { endAt: '2020-01-01T00:00:00Z' }],
    ['/reservations/8001/period', { startAt: '2032-01-01T00:00:00Z' }],
    ['/reservations/8001/period', { startAt: '2020-01-01T00:00:00Z' }],
    ['/reservations/8001/companion', { phone: '010-1' }],
  ])('POST %s %j', async (path, body) => {
    expect(await client.control('POST', path, body)).toMatchObject(invalid);
  });

  it.each([
    { advanceTo: '9999-12-30T00:00:00Z' },
    { advanceBy: 'P999999999999D' },
    { advanceBy: `P${'9'.repeat(400)}D` },
    { freeze: true, at: '9999-12-30T00:00:00Z' },
  ])('POST /clock %j: the clock ends before', async (body) => {
    const refused = await client.control('POST', '/clock', body);
    expect(refused).toMatchObject({ status: 409, body: { code: 'ILLEGAL_STATE' } });
  });

  it.each(['/journal?status=99999999999', '/reservations?status=99999999999', '/reservations?limit=0'])(
    'GET %s',
    async (path) => {
      expect(await client.control('GET', path)).toMatchObject(invalid);
    },
  );

  it('for a reservation or a car that does not exist: NOT_FOUND', async () => {
    const missing = { status: 404, body: { code: 'NOT_FOUND' } };
    expect(await client.control('POST', '/reservations/1/cancel')).toMatchObject(missing);
    expect(await client.control('POST', `/reservations/${id}/car`, { carId: 3001 })).toMatchObject(missing);
    expect(await client.control('GET', '/reservations/1')).toMatchObject(missing);
  });
});

it('whatever JSON is sent, the answer is coded and below 500', async () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  const body = fc.oneof(
    value,
    fc.record(
      {
        productId: value,
        startAt: value,
        endAt: value,
        pickupAddress: value,
        driver: value,
        companionInfo: value,
      },
      { requiredKeys: [] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const init = {
        method: 'POST',
        body: JSON.stringify(sent),
        headers: { 'content-type': 'application/json' },
      };
      const answer = await codeOf(await raw('/reservations', init));
      expect(answer.status).toBeLessThan(500);
      expect(platformCodes).toContain(answer.body.code);
    }),
    { numRuns: 200 },
  );
});

it.each([
  ['bytes that are no HTTP', 'BREW /coffee\r\n\r\n', 400, 'INVALID_REQUEST'],
  [
    'an address that is not percent-encoded',
    'GET /car?carNumber=12가3456 HTTP/1.1\r\n\r\n',
    400,
    'INVALID_REQUEST',
  ],
  ['headers without an end', `GET /car HTTP/1.1\r\nx: ${'x'.repeat(20_000)}`, 413, 'PAYLOAD_TOO_LARGE'],
])('%s: a coded refusal on the connection, and the sandbox continues', async (_what, bytes, status, code) => {
  const answer = await new Promise<string>((resolve, reject) => {
    let said = '';
    const socket = connect(sandbox.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => {
      said += data.toString();
    });
    socket.on('end', () => resolve(said));
    socket.on('error', reject);
  });
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ code, message: expect.any(String) });
  expect((await client.control('GET', '/clock')).status).toBe(200);
});
