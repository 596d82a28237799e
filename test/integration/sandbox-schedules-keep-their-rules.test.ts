import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { hour, type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let sandbox: TestSandbox;
let client: SandboxClient;
const day = 24 * hour;
const missing = { status: 404, body: { code: 'NOT_FOUND' } };
const overlapping = { status: 409, body: { code: 'E011' } };
const closed = { status: 409, body: { code: 'E012' } };

beforeAll(async () => {
  sandbox = await startTestSandbox();
  client = sandboxClient(sandbox);
});
afterAll(() => sandbox.dispose());

const kst = (at: number) => new Date(at + 9 * hour).toISOString().replace('Z', '+0900');
let slot = Date.parse('2031-01-01T00:00:00+09:00');
/** A period of two hours that no other has. */
const period = () => {
  slot += day;
  return { startDateTimeStr: kst(slot), endDateTimeStr: kst(slot + 2 * hour) };
};
const body = (changes: object = {}) => ({ carId: 1001, ...period(), reason: '정기 점검', ...changes });
const post = (sent: object, key = keys.supplier) => client.call('POST', '/schedule', { key, body: sent });
const put = (id: number, sent: object, key = keys.supplier) =>
  client.call('PUT', `/schedule/${id}`, { key, body: sent });
const get = (id: number, key = keys.supplier) => client.call('GET', `/schedule/${id}`, { key });
const remove = (id: number, key = keys.supplier) => client.call('DELETE', `/schedule/${id}`, { key });
const shifted = (sent: { startDateTimeStr: string; endDateTimeStr: string }, ms: number) => ({
  ...sent,
  startDateTimeStr: kst(Date.parse(sent.startDateTimeStr.replace('+0900', '+09:00')) + ms),
  endDateTimeStr: kst(Date.parse(sent.endDateTimeStr.replace('+0900', '+09:00')) + ms),
});

describe('an external schedule', () => {
  it('G20: is registered as type S, read, edited and deleted', async () => {
    const sent = body();
    const made = await post(sent);
    const { scheduleId } = made.body;
    expect(made).toEqual({ status: 200, body: { scheduleId, scheduleType: 'S', ...sent } });
    expect(await get(scheduleId)).toEqual(made);
    const edited = body({ reason: '사고 수리' });
    expect(await put(scheduleId, edited)).toEqual({
      status: 200,
      body: { scheduleId, scheduleType: 'S', ...edited },
    });
    expect(await get(scheduleId)).toMatchObject({ body: edited });
    expect(await remove(scheduleId)).toEqual({ status: 204, body: null });
    expect(await get(scheduleId)).toMatchObject(missing);
  });

  it('Schedule rule 3: takes the car out of bookings in its period at once, and gives it back when deleted', async () => {
    const startAt = new Date(slot + 400 * day).toISOString();
    const endAt = new Date(slot + 400 * day + hour).toISOString();
    const taken = [];
    for (const carId of [2001, 2002, 2003]) {
      const { body: made } = await post({
        carId,
        startDateTimeStr: startAt,
        endDateTimeStr: endAt,
        reason: '점검',
      });
      taken.push(made.scheduleId);
    }
    const book = () => client.book({ productId: 302, startAt, endAt });
    expect(await book()).toMatchObject({ status: 409, body: { code: 'NO_AVAILABILITY' } });
    await remove(taken[1]);
    const booked = await book();
    expect((await client.truth(booked.body.reservationId)).carId).toBe(2002);
  });

  it('G43: may lie in the past, wholly or partly', async () => {
    const now = Date.now();
    const past = { startDateTimeStr: kst(now - 3 * day), endDateTimeStr: kst(now - 2 * day) };
    const partly = { startDateTimeStr: kst(now - hour), endDateTimeStr: kst(now + hour) };
    expect((await post(body({ ...past, carId: 1004 }))).status).toBe(200);
    expect((await post(body({ ...partly, carId: 1004 }))).status).toBe(200);
  });

  it('G42: stays with its car', async () => {
    const { body: made } = await post(body());
    const moved = await put(made.scheduleId, body({ carId: 1002 }));
    expect(moved).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    expect((await get(made.scheduleId)).body).toEqual(made);
  });
});

describe('E011', () => {
  it.each([
    ['the same period', 0],
    ['one that begins inside', hour],
    ['one that ends inside', -hour],
    ['one that shares the last millisecond', 2 * hour - 1],
    ['one that shares the first millisecond', -2 * hour + 1],
  ])('a registration is refused over %s, and nothing is registered', async (_what, ms) => {
    const first = body();
    await post(first);
    expect(await post(shifted(first, ms))).toMatchObject(overlapping);
  });

  it('a registration around an existing schedule, or inside it, is refused', async () => {
    const first = body();
    await post(first);
    const start = first.startDateTimeStr;
    const around = { ...first, startDateTimeStr: shifted(first, -hour).startDateTimeStr };
    const inside = { ...first, startDateTimeStr: shifted(first, hour).startDateTimeStr };
    expect(await post({ ...around, endDateTimeStr: shifted(first, hour).endDateTimeStr })).toMatchObject(
      overlapping,
    );
    expect(await post(inside)).toMatchObject(overlapping);
    expect(start).toBe(first.startDateTimeStr);
  });

  it('schedules that touch, and those of other cars, do not overlap', async () => {
    const first = body();
    await post(first);
    expect((await post(shifted(first, 2 * hour))).status).toBe(200);
    expect((await post(shifted(first, -2 * hour))).status).toBe(200);
    expect((await post({ ...first, carId: 1002 })).status).toBe(200);
  });

  it('an edit that collides is refused and changes nothing; one that overlaps only itself is not', async () => {
    const first = body();
    const second = body();
    await post(first);
    const { body: made } = await post(second);
    expect(await put(made.scheduleId, { ...first, reason: '점검' })).toMatchObject(overlapping);
    expect((await get(made.scheduleId)).body).toEqual(made);
    expect((await put(made.scheduleId, shifted(second, hour))).status).toBe(200);
  });

  it('a registration over a reservation is refused', async () => {
    const { carId, schedule } = await client.truth(await client.booked());
    const taken = { startDateTimeStr: schedule.startAt, endDateTimeStr: schedule.endAt };
    expect(await post(body({ carId, ...taken }))).toMatchObject(overlapping);
  });

  it('of 16 registrations at once for one period one wins', async () => {
    const sent = body();
    const answers = await Promise.all(Array.from({ length: 16 }, () => post(sent)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(overlapping);
  });
});

describe('E012', () => {
  let today: number;
  beforeEach(async () => {
    const now = await client.freeze();
    today = Math.floor((now + 9 * hour) / day) * day - 9 * hour; // midnight in Seoul
  });
  /** A schedule of a millisecond that ends at `endAt`. */
  const ending = async (endAt: number) => {
    const sent = { startDateTimeStr: kst(endAt - 1), endDateTimeStr: kst(endAt) };
    const { body: made } = await post(body({ carId: 1003, ...sent }));
    return made.scheduleId as number;
  };
  const edit = (id: number) => put(id, body({ carId: 1003, ...period() }));

  it('G40: refuses an edit seven calendar days after the end date in Seoul, whatever the hour of the end', async () => {
    expect(await edit(await ending(today - 6 * day - 1))).toMatchObject(closed); // 23:59:59.999 seven dates ago
    expect(await edit(await ending(today - 7 * day + 60_000))).toMatchObject(closed); // its first minute
    expect(await edit(await ending(today - 8 * day))).toMatchObject(closed);
    expect(await edit(await ending(today - 40 * day))).toMatchObject(closed);
  });

  it('G40: allows it six calendar days after, though that may be nearly seven times 24 hours', async () => {
    expect((await edit(await ending(today - 6 * day))).status).toBe(200); // 00:00 six dates ago
    expect((await edit(await ending(today - 5 * day))).status).toBe(200);
  });

  it('G40: begins at midnight in Seoul on the sandbox’s clock', async () => {
    const id = await ending(today - 6 * day + hour);
    await client.control('POST', '/clock', { advanceTo: new Date(today + day - 1).toISOString() });
    expect((await put(id, (await get(id)).body)).status).toBe(200);
    await client.control('POST', '/clock', { advanceBy: 'PT1S' });
    expect(await put(id, (await get(id)).body)).toMatchObject(closed);
  });

  it('is about edits alone: reading and deleting stay possible', async () => {
    const id = await ending(today - 30 * day);
    expect((await get(id)).status).toBe(200);
    expect((await remove(id)).status).toBe(204);
  });
});

describe('a reservation’s schedule (type R)', () => {
  it('cannot be read in detail, edited or deleted', async () => {
    const id = await client.booked();
    const { carId, schedule } = await client.truth(id);
    const refused = { status: 409, body: { code: 'ILLEGAL_STATE' } };
    expect(await get(schedule.scheduleId)).toMatchObject(refused);
    expect(await put(schedule.scheduleId, body({ carId }))).toMatchObject(refused);
    expect(await remove(schedule.scheduleId)).toMatchObject(refused);
    expect((await client.truth(id)).schedule).toEqual(schedule);
  });
});

describe('G27: for another company', () => {
  it('a schedule does not exist, and a car cannot be scheduled', async () => {
    const { body: made } = await post(body());
    const key = keys.otherSupplier;
    expect(await get(made.scheduleId, key)).toMatchObject(missing);
    expect(await put(made.scheduleId, body(), key)).toMatchObject(missing);
    expect(await remove(made.scheduleId, key)).toMatchObject(missing);
    expect(await post(body(), key)).toMatchObject(missing);
    expect((await get(made.scheduleId)).body).toEqual(made);
  });
});

describe('is refused and changes nothing', () => {
  const invalid = { status: 400, body: { code: 'INVALID_REQUEST', message: expect.any(String) } };
  const bad: [string, object][] = [
    ['no car', { carId: undefined }],
    ['a car id that is text', { carId: '1001' }],
    ['a car id with a fraction', { carId: 1001.5 }],
    ['a car id above 2^53-1', { carId: 2 ** 53 }],
    ['no start', { startDateTimeStr: undefined }],
    ['no end', { endDateTimeStr: undefined }],
    ['a start without an offset', { startDateTimeStr: '2031-01-01T00:00:00.000' }],
    ['a start that is a number', { startDateTimeStr: 5 }],
    ['a date that does not exist', { endDateTimeStr: '2031-02-30T00:00:00.000+0900' }],
    ['a time that does not exist', { endDateTimeStr: '2031-02-03T24:30:00.000+0900' }],
    ['an end before the start', { startDateTimeStr: '2090-01-01T00:00:00.000+0900' }],
    ['no reason', { reason: undefined }],
    ['a blank reason', { reason: ' ' }],
    ['a reason that is a number', { reason: 1 }],
    ['a character that no text has', { reason: 'a\u0000' }],
  ];
  const everything = async () =>
    (await client.call('GET', '/schedule?startDate=2020-01-01&endDate=2095-01-01', { key: keys.supplier }))
      .body;

  it.each(bad)('a registration with %s', async (_what, changes) => {
    const before = await everything();
    expect(await post(body(changes))).toMatchObject(invalid);
    expect(await everything()).toEqual(before);
  });

  it.each(bad)('an edit with %s', async (_what, changes) => {
    const { body: made } = await post(body());
    expect(await put(made.scheduleId, body(changes))).toMatchObject(invalid);
    expect((await get(made.scheduleId)).body).toEqual(made);
  });

  it('an equal start and end, written with different offsets', async () => {
    const equal = { startDateTimeStr: '2080-05-05T10:00:00Z', endDateTimeStr: '2080-05-05T19:00:00+09:00' };
    expect(await post(body(equal))).toMatchObject(invalid);
  });

  it('a car or a schedule that does not exist: NOT_FOUND', async () => {
    expect(await post(body({ carId: 1 }))).toMatchObject(missing);
    expect(await get(1)).toMatchObject(missing);
    expect(await put(1, body())).toMatchObject(missing);
    expect(await remove(1)).toMatchObject(missing);
  });

  it.each(['abc', '1.5', '9007199254740993'])('%s for an id', async (id) => {
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(
        await client.call(method, `/schedule/${id}`, {
          key: keys.supplier,
          ...(method === 'PUT' && { body: body() }),
        }),
      ).toMatchObject(invalid);
  });
});
