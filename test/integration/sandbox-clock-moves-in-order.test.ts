import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startReceiver } from '../support/callback-receiver.js';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { hour, type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let sandbox: TestSandbox;
let client: SandboxClient;
let now: number;

beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startTestSandbox({ callback: { url: receiver.url } });
  client = sandboxClient(sandbox);
});
beforeEach(async () => {
  receiver.answerWith(() => 204);
  await client.control('POST', '/reset');
  receiver.received.length = 0;
  now = await client.freeze();
});
afterAll(async () => {
  await sandbox.dispose();
  await receiver.close();
});

const clock = (body: object) => client.control('POST', '/clock', body);
const iso = (at: number) => new Date(at).toISOString();
const periodOf = (from: number, hours: number) => ({
  startAt: iso(now + from),
  endAt: iso(now + hours * hour),
});
/** Every callback attempt, in the order of the journal: when by the platform's clock, and what. */
const attempts = async () =>
  (await client.control('GET', '/journal?kind=callback')).body.items.map(
    // biome-ignore lint/suspicious/noExplicitAny: whatever the journal holds
    ({ at, reservationId, operation, requestBody }: any) =>
      `${at} ${reservationId} ${operation} ${requestBody.reservationStatus}`,
  );

it('an advance performs everything that falls due, in order, each at its own virtual time', async () => {
  const late = await client.booked(periodOf(0, 3));
  const noShow = await client.booked(periodOf(0, 2));
  for (const step of ['dispatch/start', 'dispatch/complete']) await client.command('PUT', late, step);
  await client.customer(late, 'start-use');
  await clock({ advanceBy: 'PT1S' });
  receiver.answerWith(({ path }) => (path === '/events/reservation' ? 500 : 204));
  const unacknowledged = await client.booked(periodOf(60_000, 4));
  await clock({ advanceBy: 'PT0S' });
  await client.control('DELETE', '/journal');

  expect((await clock({ advanceBy: 'PT5H' })).body.now).toBe(iso(now + 1000 + 5 * hour));
  const begun = now + 1000;
  const retries = [1, 5, 30, 120, 600, 4200, 7800, 11_400, 15_000].map(
    (seconds) => `${iso(begun + seconds * 1000)} ${unacknowledged} callback:registration 5`,
  );
  const both = (at: number, id: number, status: number) =>
    ['update', 'status'].map((kind) => `${iso(at)} ${id} callback:${kind} ${status}`);
  const seen = await attempts();
  const times = seen.map((attempt: string) => attempt.slice(0, 24));
  expect(times).toEqual([...times].sort());
  expect(new Set(seen)).toEqual(
    new Set([
      ...retries,
      ...both(begun + 60_000, unacknowledged, 50),
      ...both(now + 2 * hour, noShow, 45),
      ...both(now + 3 * hour, late, 25),
    ]),
  );
});

it('an advance to the next event stops there, and does nothing when nothing is planned', async () => {
  const id = await client.booked(periodOf(0, 2));
  await clock({ advanceBy: 'PT0S' });
  expect((await clock({ advanceToNext: true })).body.now).toBe(iso(now + 2 * hour));
  expect((await client.truth(id)).reservationStatus).toBe(45);
  expect((await clock({ advanceToNext: true })).body.now).toBe(iso(now + 2 * hour));
});

it('simultaneous advances follow one another', async () => {
  const answers = await Promise.all([clock({ advanceBy: 'PT1H' }), clock({ advanceBy: 'PT1H' })]);
  expect(answers.map(({ body }) => body.now)).toEqual([iso(now + hour), iso(now + 2 * hour)]);
});

it('the answer states that a running Handover has its own clock', async () => {
  expect((await clock({ advanceBy: 'PT1M' })).body).toEqual({
    mode: 'frozen',
    now: iso(now + 60_000),
    next: null,
    note: expect.stringContaining('the platform’s time only'),
  });
});

it('a time before the present one, or none at all, is refused and changes nothing', async () => {
  await clock({ resume: true });
  const bad = { status: 400, body: { code: 'INVALID_REQUEST' } };
  const backwards = { status: 409, body: { code: 'ILLEGAL_STATE' } };
  for (const body of [{ freeze: true, at: iso(now - hour) }, { advanceTo: iso(now - 1) }])
    expect(await clock(body)).toMatchObject(backwards);
  for (const body of [
    { advanceTo: '2031-02-30T00:00:00Z' },
    { advanceTo: '2031-02-20T00:00:00' },
    { advanceBy: 'PT' },
    { advanceBy: '-PT1H' },
    { freeze: true, resume: true },
    {},
  ])
    expect(await clock(body)).toMatchObject(bad);
  expect((await client.control('GET', '/clock')).body.mode).toBe('real');
});

it('a clock that was set ahead and frozen continues from there', async () => {
  const at = now + 30 * 24 * hour;
  expect((await clock({ freeze: true, at: iso(at) })).body).toMatchObject({ mode: 'frozen', now: iso(at) });
  const { body } = await clock({ resume: true });
  expect(body.mode).toBe('real');
  expect(Date.parse(body.now)).toBeGreaterThanOrEqual(at);
  expect(Date.parse(body.now) - at).toBeLessThan(hour);
});
