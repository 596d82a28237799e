import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/callback-receiver.js';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let sandbox: TestSandbox;
let client: SandboxClient;

beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startTestSandbox({ callback: { url: receiver.url } });
  client = sandboxClient(sandbox);
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answerWith(() => 204);
  await client.control('POST', '/reset', { fleet: 'small' });
});
afterAll(async () => {
  await sandbox.dispose();
  await receiver.close();
});

const read = async (path: string) => (await client.call('GET', path, { key: keys.channel })).body;

describe('a reset', () => {
  it('starts the sandbox again: no reservation, an empty journal, real time, no faults, ids from their start', async () => {
    await client.freeze();
    const first = await client.booked();
    await client.control('PUT', '/faults', {
      calls: [{ operation: 'book', effect: { kind: 'hang', applied: false } }],
    });
    expect(await client.control('POST', '/reset')).toMatchObject({ status: 200, body: { fleet: 'small' } });
    expect((await client.control('GET', '/reservations')).body.items).toEqual([]);
    expect((await client.control('GET', '/journal')).body.items).toEqual([]);
    expect((await client.control('GET', '/clock')).body.mode).toBe('real');
    expect((await client.control('GET', '/faults')).body).toMatchObject({ calls: [], callbacks: [] });
    expect(await client.booked()).toBe(first);
  });

  it('deletes callbacks that were on their way', async () => {
    let answer: (status: number) => void = () => {};
    receiver.answerWith(() => new Promise<number>((resolve) => (answer = resolve)));
    const id = await client.booked();
    await expect.poll(() => receiver.of(id).length).toBe(1);
    await client.control('POST', '/reset', { fleet: 'small' });
    answer(500);
    receiver.received.length = 0;
    receiver.answerWith(() => 204);
    expect(await client.booked()).toBe(id);
    await expect.poll(async () => (await client.truth(id)).callbacks[0].state).toBe('acknowledged');
    expect(receiver.received).toHaveLength(1);
    const { items } = (await client.control('GET', `/journal?kind=callback`)).body;
    expect(items).toMatchObject([{ effect: 'acknowledged' }]);
  });

  it('to `city`: 500 cars and 60 products of five companies, plates and ids the same every time', async () => {
    await client.control('POST', '/reset', { fleet: 'city' });
    const cars = await read('/car');
    const products = await read('/product?productApproveStatus=1');
    expect(cars).toHaveLength(500);
    expect(products).toHaveLength(60);
    const plates = cars.map(({ carNumber }: { carNumber: string }) => carNumber);
    expect(new Set(plates).size).toBe(500);
    for (const plate of plates) expect(plate).toMatch(/^\d{2}[하허호]\d{4}$/);
    expect(new Set(cars.map((car: { businessLicenseId: number }) => car.businessLicenseId))).toEqual(
      new Set([11, 12, 13, 14, 15]),
    );
    const related = await read('/product/301/relatedCar');
    expect(related.length).toBeGreaterThanOrEqual(8);
    expect(related[0].detailModelName).toBe(products[0].detailModelName);
    await client.control('POST', '/reset', { fleet: 'city' });
    expect(await read('/car')).toEqual(cars);
  });

  it('to an unknown fleet is refused and changes nothing', async () => {
    const id = await client.booked();
    const refused = await client.control('POST', '/reset', { fleet: 'mars' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    expect((await client.truth(id)).reservationStatus).toBe(5);
  });
});

describe('a snapshot', () => {
  it('restores everything: reservations, schedules, sequences, journal and clock', async () => {
    const frozen = await client.freeze();
    const id = await client.booked();
    await client.command('PUT', id, 'dispatch/start');
    await client.command('POST', id, 'dispatch/parkingImage', client.photo());
    await client.control('POST', '/clock', { advanceBy: 'PT0S' });
    const truth = await client.truth(id);
    const journal = (await client.control('GET', '/journal')).body;
    expect((await client.control('POST', '/snapshot', { name: 'before' })).status).toBe(200);

    await client.control('POST', `/clock`, { advanceBy: 'P3D' });
    await client.freeze();
    const later = await client.booked();
    expect(await client.truth(id)).not.toEqual(truth);
    await client.control('POST', '/reset', { fleet: 'city' });

    for (let again = 0; again < 2; again++) {
      expect((await client.control('POST', '/restore', { name: 'before' })).status).toBe(200);
      expect(await client.truth(id)).toEqual(truth);
      expect((await client.control('GET', '/journal')).body).toEqual(journal);
      expect((await client.control('GET', '/clock')).body).toMatchObject({
        mode: 'frozen',
        now: new Date(frozen).toISOString(),
      });
      expect(await client.booked()).toBe(later);
    }
  });

  it('contains callbacks that wait for a retry: they continue when it is restored', async () => {
    await client.freeze();
    receiver.answerWith(() => 500);
    const id = await client.booked();
    await client.control('POST', '/clock', { advanceBy: 'PT0S' });
    await client.control('POST', '/snapshot');
    await client.control('POST', '/reset');
    receiver.answerWith(() => 204);
    await client.control('POST', '/restore');
    await client.control('POST', '/clock', { advanceBy: 'PT1S' });
    expect((await client.truth(id)).callbacks[0]).toMatchObject({ state: 'acknowledged', attempts: 2 });
  });

  it('that does not exist, or an invalid name, is refused and changes nothing', async () => {
    const id = await client.booked();
    expect(await client.control('POST', '/restore', { name: 'never' })).toMatchObject({ status: 404 });
    expect(await client.control('POST', '/snapshot', { name: 'A "name"' })).toMatchObject({ status: 400 });
    expect((await client.truth(id)).reservationStatus).toBe(5);
  });
});
