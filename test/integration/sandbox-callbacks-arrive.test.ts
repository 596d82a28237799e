import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/callback-receiver.js';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { hour, type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let sandbox: TestSandbox;
let client: SandboxClient;

beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startTestSandbox({ callback: { url: receiver.url, secret } });
  client = sandboxClient(sandbox);
});
beforeEach(async () => {
  receiver.answerWith(() => 204);
  await client.freeze();
});
afterAll(async () => {
  await sandbox.dispose();
  await receiver.close();
});

const statusOf = async (id: number) => (await client.truth(id)).reservationStatus;
const statesOf = async (id: number) =>
  (await client.truth(id)).callbacks.map((callback: { state: string }) => callback.state);
const advanceBy = (duration: string) => client.control('POST', '/clock', { advanceBy: duration });

describe('callbacks of a reservation', () => {
  it('G31, G35: arrive in the order of emission, each with the state at its emission', async () => {
    const id = await client.booked();
    await client.command('PUT', id, 'dispatch/start');
    await client.command('POST', id, 'dispatch/parkingImage', client.photo(undefined, { parkingMemo: 'B2' }));
    await client.command('PUT', id, 'dispatch/complete');
    await expect.poll(() => receiver.of(id).length).toBe(6);
    expect(receiver.of(id).map(({ path, body }) => [path, body.reservationStatus, body.parkingMemo])).toEqual(
      [
        ['/events/reservation', 5, undefined],
        ['/events/reservation/update', 10, undefined],
        ['/events/reservationStatus', 10, undefined],
        ['/events/reservation/update', 10, 'B2'],
        ['/events/reservation/update', 15, 'B2'],
        ['/events/reservationStatus', 15, undefined],
      ],
    );
    await expect.poll(() => statesOf(id)).toEqual(Array(6).fill('acknowledged'));
  });

  it('G32: are signed by Standard Webhooks, over the bytes that were sent', async () => {
    const id = await client.booked();
    await expect.poll(() => receiver.of(id).length).toBe(1);
    const [callback] = receiver.of(id);
    const headers = callback?.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(callback?.raw ?? '', headers)).not.toThrow();
  });

  it('G29, G31: a car change sends the car event, then the update; a new period and a companion send updates', async () => {
    const id = await client.booked();
    const { carId: previousCarId, endAt } = await client.truth(id);
    const carId = previousCarId === 1003 ? 1004 : 1003;
    await client.control('POST', `/reservations/${id}/car`, { carId });
    const later = new Date(Date.parse(endAt) + 60_000).toISOString();
    await client.control('POST', `/reservations/${id}/period`, { endAt: later });
    await client.control('POST', `/reservations/${id}/companion`, { name: '동승자' });
    await client.control('DELETE', `/reservations/${id}/companion`);
    await expect.poll(() => receiver.of(id).length).toBe(6);
    const [, car, update, period, companion, alone] = receiver.of(id);
    expect(car).toMatchObject({
      path: '/events/reservation/car',
      body: { previousCarId, carId, carNumber: update?.body.carNumber },
    });
    expect(update?.body).toMatchObject({ carId, productInfo: { carId } });
    expect(Date.parse(period?.body.endAt.replace('+0900', '+09:00'))).toBe(Date.parse(later));
    expect(companion?.body.companionInfo).toEqual({ name: '동승자' });
    expect(alone?.body).not.toHaveProperty('companionInfo');
  });

  it('G33, G34: any answer but a 2xx is retried with the same id and payload and a new signature; other callbacks do not wait', async () => {
    receiver.answerWith(({ path }) => (path === '/events/reservation' ? 500 : 200));
    const id = await client.booked();
    await client.command('PUT', id, 'dispatch/start');
    await expect.poll(() => statesOf(id)).toEqual(['waiting', 'acknowledged', 'acknowledged']);
    receiver.answerWith(() => 204);
    await advanceBy('PT1S');
    expect(await statesOf(id)).toEqual(['acknowledged', 'acknowledged', 'acknowledged']);
    const [first, , , again] = receiver.of(id);
    expect(again?.raw).toBe(first?.raw);
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const headers = again?.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(again?.raw ?? '', headers)).not.toThrow();
  });

  it('G34: a callback that is never acknowledged is abandoned after 24 h; its timestamps are real time', async () => {
    receiver.answerWith(({ path }) => (path === '/events/reservation' ? 503 : 200));
    const id = await client.booked();
    await expect.poll(() => receiver.of(id).length).toBe(1);
    await advanceBy('P2D');
    const [registration] = (await client.truth(id)).callbacks;
    expect(registration).toMatchObject({ state: 'given-up', attempts: 29, nextAt: null });
    for (const { headers } of receiver.of(id)) {
      expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(120);
    }
  });

  it('survive a restart: the next run sends the callbacks that were not acknowledged', async () => {
    receiver.answerWith(() => 500);
    const id = await client.booked();
    await expect.poll(() => receiver.of(id).length).toBeGreaterThan(0);
    await sandbox.close();
    const before = receiver.of(id).length;
    receiver.answerWith(() => 200);
    await sandbox.restart();
    await client.control('POST', '/clock', { resume: true });
    await expect.poll(() => statesOf(id), { timeout: 10_000 }).toEqual(['acknowledged']);
    expect(receiver.of(id).length).toBeGreaterThan(before);
  });
});

describe('time', () => {
  it('G36: a registration not acknowledged within 60 s of creation makes 50, and releases the car', async () => {
    receiver.answerWith(() => 500);
    const id = await client.booked();
    await expect.poll(() => receiver.of(id).length).toBe(1);
    await advanceBy('PT59S');
    expect(await statusOf(id)).toBe(5);
    await advanceBy('PT1S');
    expect(await client.truth(id)).toMatchObject({ reservationStatus: 50, schedule: null });
  });

  it('G36: an acknowledged registration never makes 50', async () => {
    const id = await client.booked();
    await expect.poll(() => statesOf(id)).toEqual(['acknowledged']);
    await advanceBy('PT2M');
    expect(await statusOf(id)).toBe(5);
  });

  it('G36: without a receiver callbacks are only stored, and 50 is never set', async () => {
    sandbox.setCallback(undefined);
    const id = await client.booked();
    await advanceBy('PT1H');
    expect(await statusOf(id)).toBe(5);
    expect(await statesOf(id)).toEqual(['kept']);
    sandbox.setCallback({ url: receiver.url, secret });
  });

  it('G37: the end changes 5, 10 and 15 to 45, and 20 to 25, at its own instant, with a callback', async () => {
    const period = client.nextPeriod();
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push(await client.booked(period));
    const [five, ten, fifteen, twenty] = ids as [number, number, number, number];
    for (const id of [ten, fifteen, twenty]) await client.command('PUT', id, 'dispatch/start');
    for (const id of [fifteen, twenty]) await client.command('PUT', id, 'dispatch/complete');
    await client.customer(twenty, 'start-use');
    await client.control('POST', '/clock', {
      advanceTo: new Date(Date.parse(period.endAt) - 1).toISOString(),
    });
    expect(await statusOf(five)).toBe(5);
    await advanceBy('PT3H');
    expect(await Promise.all(ids.map(statusOf))).toEqual([45, 45, 45, 25]);
    const { moves, schedule } = await client.truth(twenty);
    expect(moves.at(-1)).toEqual({ from: 20, to: 25, at: period.endAt, cause: 'time' });
    expect(schedule.endAt).toBe(period.endAt);
    expect(receiver.of(five).map(({ path, body }) => [path, body.reservationStatus])).toEqual([
      ['/events/reservation', 5],
      ['/events/reservation/update', 45],
      ['/events/reservationStatus', 45],
    ]);
  });

  it('G37: the end also takes effect in real time, without a request', async () => {
    await client.control('POST', '/clock', { resume: true });
    const now = Date.parse((await client.control('GET', '/clock')).body.now);
    const id = await client.booked({
      startAt: new Date(now - 1000).toISOString(),
      endAt: new Date(now + 3000).toISOString(),
    });
    await expect.poll(() => statusOf(id), { timeout: 10_000 }).toBe(45);
  });

  it('G44: an extension at 25 keeps the status and reports the new end; nothing follows at that end', async () => {
    const period = client.nextPeriod();
    const id = await client.booked(period);
    await client.command('PUT', id, 'dispatch/start');
    await client.command('PUT', id, 'dispatch/complete');
    await client.customer(id, 'start-use');
    await client.control('POST', '/clock', { advanceTo: period.endAt });
    const endAt = new Date(Date.parse(period.endAt) + hour).toISOString();
    const extended = await client.control('POST', `/reservations/${id}/period`, { endAt });
    expect(extended).toMatchObject({ status: 200, body: { reservationStatus: 25, endAt } });
    await advanceBy('PT5H');
    expect(await statusOf(id)).toBe(25);
    const received = receiver.of(id).at(-1);
    expect(received).toMatchObject({ path: '/events/reservation/update', body: { reservationStatus: 25 } });
    expect((await client.truth(id)).schedule.endAt).toBe(endAt);
  });

  it('G44: an extension over the next schedule of the car is refused with E011 and changes nothing', async () => {
    const period = client.nextPeriod();
    const first = await client.booked({ ...period, productId: 302 });
    const next = { startAt: period.endAt, endAt: new Date(Date.parse(period.endAt) + hour).toISOString() };
    for (let n = 0; n < 3; n++) await client.booked({ ...next, productId: 302 });
    const before = await client.truth(first);
    const refused = await client.control('POST', `/reservations/${first}/period`, { endAt: next.endAt });
    expect(refused).toMatchObject({ status: 409, body: { code: 'E011' } });
    expect((await client.truth(first)).endAt).toBe(before.endAt);
  });

  it('the clock continues over a restart and never goes backwards', async () => {
    const { body } = await advanceBy('PT3H');
    await sandbox.restart();
    expect((await client.control('GET', '/clock')).body).toMatchObject({ mode: 'frozen', now: body.now });
    const back = await client.control('POST', '/clock', { advanceTo: new Date().toISOString() });
    expect(back).toMatchObject({ status: 409, body: { code: 'ILLEGAL_STATE' } });
  });
});
