import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let sandbox: TestSandbox;
let client: SandboxClient;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  client = sandboxClient(sandbox);
});
afterEach(() => client.control('DELETE', '/faults'));
afterAll(() => sandbox.dispose());

const startFault = (effect: object, more: object = {}) =>
  client.control('PUT', '/faults', { calls: [{ operation: 'dispatchStart', effect, ...more }] });
const start = (id: number) => client.command('PUT', id, 'dispatch/start');
const statusOf = async (id: number) => (await client.truth(id)).reservationStatus;

describe('a call fault', () => {
  it('refuses the nth call with a code and leaves the others alone', async () => {
    const [first, second, third] = [await client.booked(), await client.booked(), await client.booked()];
    await startFault({ kind: 'refuse', code: 'RATE_LIMITED', retryAfterSeconds: 7 }, { nth: 2 });
    expect((await start(first)).status).toBe(200);
    expect(await start(second)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(await statusOf(second)).toBe(5);
    expect((await start(third)).status).toBe(200);
  });

  it.each([
    [false, 5],
    [true, 10],
  ])('answers 503, applied: %s', async (applied, status) => {
    const id = await client.booked();
    await startFault({ kind: 'status', status: 503, applied });
    expect((await start(id)).status).toBe(503);
    expect(await statusOf(id)).toBe(status);
  });

  it.each([
    [{ kind: 'refuse', code: 'RATE_LIMITED', retryAfterSeconds: 7 }, 429, { 'retry-after': '7' }],
    [{ kind: 'status', status: 429, applied: false, retryAfterSeconds: 3 }, 429, { 'retry-after': '3' }],
    [{ kind: 'status', status: 307, applied: false }, 307, { location: expect.stringMatching(/^http:/) }],
  ])('answers with a time to retry, or another address: %o', async (effect, status, headers) => {
    const id = await client.booked();
    await startFault(effect);
    const answer = await fetch(`${sandbox.url}/developer/v1/reservation/${id}/dispatch/start`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${keys.supplier}` },
      redirect: 'manual',
    });
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    expect(await statusOf(id)).toBe(5);
  });

  it.each([
    [false, 5],
    [true, 10],
  ])('resets the connection, applied: %s', async (applied, status) => {
    const id = await client.booked();
    await startFault({ kind: 'reset', applied });
    await expect(start(id)).rejects.toThrow();
    expect(await statusOf(id)).toBe(status);
  });

  it('applies and then hangs until the caller gives up', async () => {
    const id = await client.booked();
    await startFault({ kind: 'hang', applied: true });
    const caller = new AbortController();
    const call = fetch(`${sandbox.url}/developer/v1/reservation/${id}/dispatch/start`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${keys.supplier}` },
      signal: caller.signal,
    });
    await expect.poll(() => statusOf(id)).toBe(10);
    caller.abort();
    await expect(call).rejects.toThrow('abort');
    const { body } = await client.control('GET', `/journal?reservationId=${id}&operation=dispatchStart`);
    expect(body.items).toMatchObject([{ effect: 'fault:hang+applied', status: null }]);
  });

  it('answers with a broken body, and late', async () => {
    const id = await client.booked();
    await startFault({ kind: 'broken-body' });
    await expect(start(id)).rejects.toThrow(SyntaxError);
    expect(await statusOf(id)).toBe(10);
    await client.control('PUT', '/faults', {
      calls: [{ operation: '*', effect: { kind: 'latency', ms: 30 } }],
    });
    const began = performance.now();
    expect((await client.command('PUT', id, 'dispatch/complete')).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(29);
  });

  it('that names no operation, an unknown effect, or a field that the effect does not have is refused', async () => {
    const bad = { status: 400, body: { code: 'INVALID_REQUEST' } };
    const calls = [
      [{ operation: 'book', effect: { kind: 'explode' } }],
      [{ operation: 'book', effect: { kind: 'hang', applied: true, ms: 5 } }],
      'all',
    ];
    for (const one of calls)
      expect(await client.control('PUT', '/faults', { calls: one })).toMatchObject(bad);
    const fly = [{ operation: 'fly', effect: { kind: 'hang', applied: true } }];
    expect(await client.control('PUT', '/faults', { calls: fly })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: expect.stringContaining('dispatchStart') },
    });
    expect((await client.control('GET', '/faults')).body).toEqual({
      seed: 0,
      calls: [],
      callbacks: [],
    });
  });
});

describe('the journal', () => {
  it('holds every call with both bodies and its outcome', async () => {
    const id = await client.booked();
    await start(id);
    await start(id);
    await client.command('POST', id, 'dispatch/carImage', client.photo());
    const { body } = await client.control('GET', `/journal?reservationId=${id}&kind=request`);
    expect(body.items).toMatchObject([
      {
        operation: 'book',
        role: 'channel',
        status: 200,
        effect: 'applied',
        requestBody: { productId: 301 },
        responseBody: { reservationId: id },
      },
      { operation: 'dispatchStart', role: 'supplier', status: 200, effect: 'applied' },
      {
        operation: 'dispatchStart',
        status: 409,
        effect: 'refused:ILLEGAL_STATE',
        responseBody: { code: 'ILLEGAL_STATE' },
      },
      { operation: 'dispatchCarImage', requestBody: { photo: { type: 'image/jpeg', size: 8 } } },
    ]);
  });

  it('is deleted on request', async () => {
    await client.booked();
    expect((await client.control('DELETE', '/journal')).status).toBe(204);
    expect((await client.control('GET', '/journal')).body).toEqual({ items: [], next: null });
  });
});
