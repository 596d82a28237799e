import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys, startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { hour, type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let sandbox: TestSandbox;
let client: SandboxClient;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  client = sandboxClient(sandbox);
});
afterAll(() => sandbox.dispose());

it('a booking spreads the load: the free car with the fewest reserved hours, then the lowest id', async () => {
  const cars = [];
  for (let n = 0; n < 5; n++) cars.push((await client.truth(await client.booked())).carId);
  expect(cars).toEqual([1001, 1002, 1003, 1004, 1001]);
});

it('only approved products and cars on sale are booked', async () => {
  expect(await client.book({ productId: 304 })).toMatchObject({
    status: 409,
    body: { code: 'NO_AVAILABILITY' },
  });
  expect(await client.book({ productId: 999 })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

it('Schedule rule 4: a booking makes an R schedule that GET /schedule shows, grouped by car', async () => {
  const startAt = Date.parse('2031-05-04T23:00:00+09:00');
  const id = await client.booked({
    startAt: new Date(startAt).toISOString(),
    endAt: new Date(startAt + 2 * hour).toISOString(),
  });
  const { schedule } = await client.truth(id);
  const on = async (day: string, key = keys.supplier) =>
    (await client.call('GET', `/schedule?startDate=${day}&endDate=${day}`, { key })).body;
  const group = {
    carId: 1001,
    carNumber: '12가3456',
    detailModelName: '아반떼 CN7',
    schedules: [
      {
        scheduleId: schedule.scheduleId,
        carId: 1001,
        scheduleType: 'R',
        startDateTimeStr: '2031-05-04T23:00:00.000+0900',
        endDateTimeStr: '2031-05-05T01:00:00.000+0900',
        reason: 'reservation',
      },
    ],
  };
  expect(await on('2031-05-04')).toEqual([group]);
  expect(await on('2031-05-05')).toEqual([group]);
  expect(await on('2031-05-06')).toEqual([]);
  expect(await on('2031-05-04', keys.otherSupplier)).toEqual([]);
});
