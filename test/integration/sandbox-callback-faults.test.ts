import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/callback-receiver.js';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let sandbox: TestSandbox;
let client: SandboxClient;

beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startTestSandbox({ callback: { url: receiver.url, secret } });
  client = sandboxClient(sandbox);
});
beforeEach(() => client.freeze());
afterEach(async () => {
  receiver.answerWith(() => 204);
  await client.control('DELETE', '/faults');
});
afterAll(async () => {
  await sandbox.dispose();
  await receiver.close();
});

/** An advance answers when everything due is done: nothing is out then. */
const advanceBy = (duration: string) => client.control('POST', '/clock', { advanceBy: duration });
const settled = () => advanceBy('PT0S');
const faults = (event: string, effect: object, more: object = {}) =>
  client.control('PUT', '/faults', { callbacks: [{ event, effect, ...more }] });
const stateOf = async (id: number) => (await client.truth(id)).callbacks[0];
const journalled = async (id: number) =>
  (await client.control('GET', `/journal?reservationId=${id}&kind=callback`)).body.items.map(
    ({ effect }: { effect: string }) => effect,
  );
const verifies = ({ raw, headers }: { raw: string; headers: object }) => {
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>);
    return true;
  } catch (error) {
    return !(error instanceof WebhookVerificationError); // a body that is no JSON fails after its signature held
  }
};

describe('a callback fault', () => {
  it('duplicates: the sandbox sends the same webhook-id and body again', async () => {
    await faults('registration', { kind: 'duplicate', copies: 2 });
    const id = await client.booked();
    await settled();
    const came = receiver.of(id);
    expect(came).toHaveLength(3);
    expect(new Set(came.map(({ headers, raw }) => `${headers['webhook-id']} ${raw}`)).size).toBe(1);
    expect(await journalled(id)).toEqual([
      'acknowledged',
      'fault:duplicate:acknowledged',
      'fault:duplicate:acknowledged',
    ]);
  });

  it('delays by the platform’s clock, and later callbacks are sent before it', async () => {
    await faults('registration', { kind: 'delay', ms: 30_000 });
    const id = await client.booked();
    await client.command('PUT', id, 'dispatch/start');
    await advanceBy('PT29S');
    const paths = () => receiver.of(id).map(({ path }) => path);
    expect(paths()).toEqual(['/events/reservation/update', '/events/reservationStatus']);
    await advanceBy('PT1S');
    expect(paths().at(-1)).toBe('/events/reservation');
    expect(await stateOf(id)).toMatchObject({ state: 'acknowledged', attempts: 1 });
  });

  it('G36: a registration delayed beyond 60 s ends in 50', async () => {
    await faults('registration', { kind: 'delay', ms: 61_000 });
    const id = await client.booked();
    await advanceBy('PT60S');
    expect((await client.truth(id)).reservationStatus).toBe(50);
  });

  it('reorders within a period, by seed: the same seed gives the same order', async () => {
    const orderUnder = async (seed: number) => {
      await client.control('POST', '/reset', { fleet: 'small' });
      await client.freeze();
      const callbacks = [{ event: '*', probability: 1, effect: { kind: 'reorder', windowMs: 20_000 } }];
      await client.control('PUT', '/faults', { seed, callbacks });
      receiver.received.length = 0;
      const id = await client.booked();
      for (const step of ['dispatch/start', 'dispatch/complete']) await client.command('PUT', id, step);
      await settled();
      expect(receiver.of(id).length).toBeLessThan(5);
      await advanceBy('PT20S');
      return receiver.of(id).map(({ path, body }) => `${path} ${body.reservationStatus}`);
    };
    const first = await orderUnder(1);
    expect(first).toHaveLength(5);
    expect(await orderUnder(1)).toEqual(first);
    const others = [await orderUnder(2), await orderUnder(3), await orderUnder(4)];
    expect(new Set([first, ...others].map(String)).size).toBeGreaterThan(1);
  });

  it('drops for good, or one attempt only', async () => {
    await faults('registration', { kind: 'drop' });
    const lost = await client.booked();
    await faults('registration', { kind: 'drop', retried: true });
    const late = await client.booked();
    await advanceBy('PT1S');
    expect(receiver.of(lost)).toEqual([]);
    expect(await stateOf(lost)).toMatchObject({ state: 'given-up', lastOutcome: 'fault:drop' });
    expect(receiver.of(late)).toHaveLength(1);
    expect(await stateOf(late)).toMatchObject({ state: 'acknowledged', attempts: 2 });
    expect(await journalled(late)).toEqual(['fault:drop', 'acknowledged']);
  });

  it.each([false, true])('cuts the body off, signed: %s', async (signed) => {
    await faults('registration', { kind: 'corrupt', signed });
    const id = await client.booked();
    await settled();
    const bad = receiver.received.at(-1);
    expect(bad?.body).toBeUndefined();
    expect(bad && verifies(bad)).toBe(signed);
    expect(await stateOf(id)).toMatchObject({ attempts: 1 });
  });

  it('G34: a callback with a wrong signature is sent again with the right one when it was refused', async () => {
    receiver.answerWith((callback) => (verifies(callback) ? 204 : 401));
    await faults('registration', { kind: 'wrong-signer' });
    const id = await client.booked();
    await advanceBy('PT1S');
    expect(receiver.of(id).map(verifies)).toEqual([false, true]);
    expect(await stateOf(id)).toMatchObject({ state: 'acknowledged', attempts: 2 });
  });

  it('slow: the body arrives in two parts, and whole', async () => {
    await faults('registration', { kind: 'slow', ms: 40 });
    const id = await client.booked();
    await settled();
    expect(receiver.of(id).map(verifies)).toEqual([true]);
    const { body } = await client.control('GET', `/journal?reservationId=${id}&kind=callback`);
    expect(body.items[0].durationMs).toBeGreaterThanOrEqual(39);
  });

  it('storms: the same event hundreds of times, counted once', async () => {
    await faults('registration', { kind: 'storm', times: 200 });
    const id = await client.booked();
    await settled();
    expect(receiver.of(id)).toHaveLength(200);
    expect(await stateOf(id)).toMatchObject({ state: 'acknowledged', attempts: 1 });
  });

  it('affects only its event, its reservation and its turn', async () => {
    const id = await client.booked();
    await faults('status', { kind: 'drop' }, { reservationId: id, nth: 2 });
    const other = await client.booked();
    for (const one of [other, id])
      for (const step of ['dispatch/start', 'dispatch/complete']) await client.command('PUT', one, step);
    await settled();
    const statuses = (one: number) =>
      receiver
        .of(one)
        .filter(({ path }) => path === '/events/reservationStatus')
        .map(({ body }) => body.reservationStatus);
    expect(statuses(other)).toEqual([10, 15]);
    expect(statuses(id)).toEqual([10]);
    const { callbacks } = (await client.control('GET', '/faults')).body;
    expect(callbacks).toMatchObject([{ seen: 2, hits: 1 }]);
  });
});

describe('random call faults', () => {
  it('the same seed affects the same calls, another seed others', async () => {
    const struckUnder = async (seed: number) => {
      await client.control('POST', '/reset', { fleet: 'small' });
      await client.freeze();
      const effect = { kind: 'status', status: 503, applied: false };
      const calls = [{ operation: 'book', probability: 0.4, effect }];
      await client.control('PUT', '/faults', { seed, calls });
      const statuses = [];
      for (let n = 0; n < 24; n++) statuses.push((await client.book()).status);
      return statuses;
    };
    const first = await struckUnder(11);
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(await struckUnder(11)).toEqual(first);
    expect(await struckUnder(12)).not.toEqual(first);
  });
});
