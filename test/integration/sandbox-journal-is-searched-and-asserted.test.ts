import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/callback-receiver.js';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const bad = { status: 400, body: { code: 'INVALID_REQUEST' } };
const unknown = { status: 404, body: { code: 'NOT_FOUND' } };
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let sandbox: TestSandbox;
let client: SandboxClient;

beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startTestSandbox({ callback: { url: receiver.url, secret } });
  client = sandboxClient(sandbox);
  await client.freeze();
});
afterAll(async () => {
  await sandbox.dispose();
  await receiver.close();
});

const settled = () => client.control('POST', '/clock', { advanceBy: 'PT0S' });
const look = async (query: string) => (await client.control('GET', `/journal?${query}`)).body;
const assertJournal = async (body: object) => (await client.control('POST', '/journal/assert', body)).body;
const start = (id: number) => client.command('PUT', id, 'dispatch/start');

describe('the journal is searched', () => {
  it('by operation, status, effect, role, path and webhook-id, and page by page from a cursor', async () => {
    const id = await client.booked();
    await start(id);
    await start(id);
    await settled();
    const about = `reservationId=${id}`;
    const operations = async (query: string) =>
      (await look(`${about}&${query}`)).items.map(({ operation }: { operation: string }) => operation);
    expect(await operations('operation=dispatch/start&status=409')).toEqual(['dispatchStart']);
    expect(await operations('effect=refused')).toEqual(['dispatchStart']);
    expect(await operations('effect=%25')).toEqual([]);
    expect(await operations('role=channel')).toEqual(['book']);
    expect(await operations('path=/events/reservationStatus')).toEqual(['callback:status']);
    expect(await operations('method=PUT')).toEqual(['dispatchStart', 'dispatchStart']);
    const [registration] = (await look(`${about}&operation=callback:registration`)).items;
    expect(registration.requestBody).toMatchObject({ reservationId: id, reservationStatus: 5 });
    expect((await look(`webhookId=${registration.webhookId}`)).items).toHaveLength(1);
    const all = (await look(about)).items;
    const first = await look(`${about}&limit=2`);
    const rest = await look(`${about}&after=${first.next}`);
    expect([...first.items, ...rest.items]).toEqual(all);
    expect(rest.next).toBeNull();
  });

  it('by the platform’s time', async () => {
    const id = await client.booked();
    const { body } = await client.control('POST', '/clock', { advanceBy: 'PT1H' });
    await start(id);
    const since = await look(`reservationId=${id}&kind=request&from=${encodeURIComponent(body.now)}`);
    expect(since.items).toMatchObject([{ operation: 'dispatchStart', at: body.now }]);
    const until = await look(`reservationId=${id}&kind=request&to=${encodeURIComponent(body.now)}`);
    expect(until.items).toMatchObject([{ operation: 'book' }]);
  });

  it('shows the answers of the receiver', async () => {
    const id = await client.booked();
    await settled();
    const { items } = await look(`reservationId=${id}&kind=callback`);
    expect(items).toMatchObject([{ status: 204, responseBody: null, effect: 'acknowledged' }]);
  });

  it('refuses filters that do not exist', async () => {
    for (const query of ['status=many', 'kind=letter', 'limit=0', 'from=yesterday'])
      expect(await client.control('GET', `/journal?${query}`)).toMatchObject(bad);
    expect(await client.control('GET', '/journal?operation=fly')).toMatchObject(unknown);
  });
});

describe('the journal is held to an expectation', () => {
  it('"dispatch/start of a reservation was called exactly once": pass or fail, with what was found', async () => {
    const id = await client.booked();
    const once = { operation: 'dispatch/start', reservationId: id, times: 1 };
    expect(await assertJournal(once)).toEqual({
      pass: false,
      count: 0,
      expected: { atLeast: 1, atMost: 1 },
      found: [],
    });
    await start(id);
    expect(await assertJournal(once)).toMatchObject({
      pass: true,
      count: 1,
      found: [{ operation: 'dispatchStart', status: 200, effect: 'applied' }],
    });
    await start(id);
    expect(await assertJournal(once)).toMatchObject({ pass: false, count: 2 });
    expect(await assertJournal({ ...once, effect: 'applied' })).toMatchObject({ pass: true, count: 1 });
    expect(await assertJournal({ ...once, status: 409 })).toMatchObject({ pass: true, count: 1 });
  });

  it('a count may be expected to be at least, or at most, a number', async () => {
    const id = await client.booked();
    await start(id);
    const about = { operation: 'dispatchStart', reservationId: id };
    expect(await assertJournal({ ...about, atLeast: 1 })).toMatchObject({ pass: true });
    expect(await assertJournal({ ...about, atLeast: 2 })).toMatchObject({ pass: false });
    expect(await assertJournal({ ...about, atMost: 0 })).toMatchObject({ pass: false });
    expect(await assertJournal({ ...about, atMost: 3 })).toMatchObject({ pass: true });
  });

  it('refuses an invalid expectation', async () => {
    for (const body of [{ operation: 'book' }, { times: -1 }, { often: 1 }])
      expect(await client.control('POST', '/journal/assert', body)).toMatchObject(bad);
    const fly = { operation: 'fly', times: 1 };
    expect(await client.control('POST', '/journal/assert', fly)).toMatchObject(unknown);
  });
});

describe('a callback is sent by hand', () => {
  it('one of the journal is sent again with the same id and bytes and a new signature', async () => {
    const id = await client.booked();
    await settled();
    const [entry] = (await look(`reservationId=${id}&kind=callback`)).items;
    const sent = await client.control('POST', `/callbacks/${entry.journalId}/resend`);
    expect(sent).toMatchObject({ status: 200, body: { webhookId: entry.webhookId, acknowledged: true } });
    const [first, again] = receiver.of(id);
    expect(again?.raw).toBe(first?.raw);
    expect(again?.path).toBe(first?.path);
    const headers = again?.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(again?.raw ?? '', headers)).not.toThrow();
    expect(await assertJournal({ webhookId: entry.webhookId, times: 2 })).toMatchObject({ pass: true });
  });

  it('a hand-made one is sent signed, signed by a stranger, or not at all', async () => {
    const body = { reservationId: 99, reservationStatus: 20 };
    for (const signer of ['right', 'wrong', 'none'])
      await client.control('POST', '/callbacks', { kind: 'status', body, signer });
    const came = receiver.of(99);
    expect(came.map(({ path }) => path)).toEqual(Array(3).fill('/events/reservationStatus'));
    const holds = came.map(({ raw, headers }) => {
      try {
        return new Webhook(secret).verify(raw, headers as Record<string, string>) !== undefined;
      } catch {
        return false;
      }
    });
    expect(holds).toEqual([true, false, false]);
    const raw = await client.control('POST', '/callbacks', { path: '/events/other', body: 'no {json' });
    expect(raw.body).toMatchObject({ acknowledged: true, status: 204 });
    expect(receiver.received.at(-1)).toMatchObject({ path: '/events/other', raw: 'no {json' });
    for (const [said, sent] of [
      [{}, '{}'],
      [{ body: null }, 'null'],
    ] as const) {
      await client.control('POST', '/callbacks', { path: '/events/other', ...said });
      expect(receiver.received.at(-1)).toMatchObject({ raw: sent });
    }
  });

  it('is refused without a kind or path, for an entry that is no callback, and without a receiver', async () => {
    expect(await client.control('POST', '/callbacks', { body: {} })).toMatchObject(bad);
    const { items } = await look('kind=request&limit=1');
    for (const journalId of [items[0].journalId, 999_999])
      expect(await client.control('POST', `/callbacks/${journalId}/resend`)).toMatchObject({ status: 404 });
    const odd = await client.control('POST', '/callbacks/first/resend');
    expect(odd.body).toEqual({ code: 'INVALID_REQUEST', message: 'journalId: expected an integer' });
    sandbox.setCallback(undefined);
    const sent = await client.control('POST', '/callbacks', { kind: 'status', body: {} });
    expect(sent).toMatchObject({ status: 409, body: { code: 'ILLEGAL_STATE' } });
    sandbox.setCallback({ url: receiver.url, secret });
  });
});
