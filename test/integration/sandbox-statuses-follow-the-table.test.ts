import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.js';
import { hour, type SandboxClient, sandboxClient } from '../support/sandbox-client.js';

let sandbox: TestSandbox;
let client: SandboxClient;
const staff = { staffName: '이직원', staffPhone: '01000005678' };

beforeAll(async () => {
  sandbox = await startTestSandbox();
  client = sandboxClient(sandbox);
});
afterAll(() => sandbox.dispose());

const start = (id: number) => client.command('PUT', id, 'dispatch/start');
const complete = (id: number) => client.command('PUT', id, 'dispatch/complete');
const recallComplete = (id: number) => client.command('PUT', id, 'recall/complete');

/** The moves that bring a fresh reservation to a status. */
const ways: Record<number, ((id: number) => Promise<unknown>)[]> = {
  5: [],
  10: [start],
  15: [start, complete],
  20: [start, complete, (id) => client.customer(id, 'start-use')],
  30: [start, complete, (id) => client.customer(id, 'start-use'), (id) => client.customer(id, 'return')],
  35: [
    start,
    complete,
    (id) => client.customer(id, 'start-use'),
    (id) => client.customer(id, 'return'),
    recallComplete,
  ],
  40: [(id) => client.customer(id, 'cancel')],
};

async function reservationAt(status: number): Promise<number> {
  const id = await client.booked();
  for (const move of ways[status] ?? []) await move(id);
  expect((await client.truth(id)).reservationStatus).toBe(status);
  return id;
}

const moves = [
  { name: 'dispatch/start', to: 10, from: [5], act: start },
  { name: 'dispatch/complete', to: 15, from: [10], act: complete },
  { name: 'start use', to: 20, from: [15], act: (id: number) => client.customer(id, 'start-use') },
  { name: 'return', to: 30, from: [20], act: (id: number) => client.customer(id, 'return') },
  { name: 'recall/complete', to: 35, from: [30], act: recallComplete },
  { name: 'cancel', to: 40, from: [5, 10, 15], act: (id: number) => client.customer(id, 'cancel') },
];
const steps = [
  {
    name: 'dispatch/staff',
    at: [5, 10],
    act: (id: number) => client.command('PUT', id, 'dispatch/staff', staff),
  },
  {
    name: 'dispatch/parkingImage',
    at: [10],
    act: (id: number) => client.command('POST', id, 'dispatch/parkingImage', client.photo()),
  },
  {
    name: 'dispatch/carImage',
    at: [10],
    act: (id: number) => client.command('POST', id, 'dispatch/carImage', client.photo()),
  },
  {
    name: 'recall/staff',
    at: [15, 20, 30],
    act: (id: number) => client.command('PUT', id, 'recall/staff', staff),
  },
  {
    name: 'recall/carImage',
    at: [30],
    act: (id: number) => client.command('POST', id, 'recall/carImage', client.photo()),
  },
];

describe.each(Object.keys(ways).map(Number))('a reservation at %i', (status) => {
  it.each(moves)('States: $name goes to $to from $from only, and a refusal changes nothing', async (move) => {
    const id = await reservationAt(status);
    const before = await client.truth(id);
    const answer = await move.act(id);
    const after = await client.truth(id);
    if (move.from.includes(status)) {
      expect(answer).toEqual({ status: 200, body: { reservationId: id, reservationStatus: move.to } });
      expect(after.moves).toEqual([...before.moves, expect.objectContaining({ from: status, to: move.to })]);
    } else {
      expect(answer).toMatchObject({ status: 409, body: { code: 'ILLEGAL_STATE' } });
      expect(after).toEqual(before);
    }
  });

  it.each(steps)('G41: $name changes no status and is accepted at $at only', async (step) => {
    const id = await reservationAt(status);
    const before = await client.truth(id);
    const answer = await step.act(id);
    const after = await client.truth(id);
    expect(after.reservationStatus).toBe(status);
    if (step.at.includes(status)) {
      expect(answer).toEqual({ status: 200, body: { reservationId: id, reservationStatus: status } });
    } else {
      expect(answer).toMatchObject({ status: 409, body: { code: 'ILLEGAL_STATE' } });
      expect(after).toEqual(before);
    }
  });
});

it('G39: a cancellation before the start deletes the schedule, one during the use ends it now', async () => {
  const waiting = await client.booked();
  await client.customer(waiting, 'cancel');
  expect((await client.truth(waiting)).schedule).toBeNull();

  const now = Date.now();
  const begun = await client.booked({
    productId: 302,
    startAt: new Date(now - 60_000).toISOString(),
    endAt: new Date(now + hour).toISOString(),
  });
  await client.customer(begun, 'cancel');
  const { schedule, moves } = await client.truth(begun);
  expect(schedule.endAt).toBe(moves.at(-1).at);
});

it('the parking photo is served and shown with its facts, each upload under an address of its own', async () => {
  const id = await reservationAt(10);
  const upload = () =>
    client.command(
      'POST',
      id,
      'dispatch/parkingImage',
      client.photo(undefined, { parkingMemo: 'B3', parkingLotType: '1' }),
    );
  await upload();
  const first = await client.truth(id);
  expect(first).toMatchObject({ parkingMemo: 'B3', parkingLotType: 1 });
  const served = await fetch(first.parkingImageUrl);
  expect(served.headers.get('content-type')).toBe('image/jpeg');
  expect((await served.arrayBuffer()).byteLength).toBe(8);
  await upload();
  const second = await client.truth(id);
  expect(second.parkingImageUrl).not.toBe(first.parkingImageUrl);
  expect(new Set(second.photos.map((photo: { hash: string }) => photo.hash)).size).toBe(1);
});

it('driving start and end are the moments of the smart key and of the return', async () => {
  const id = await reservationAt(30);
  const { drivingStartAt, drivingEndAt, moves } = await client.truth(id);
  const at = (to: number) => moves.find((move: { to: number }) => move.to === to).at;
  expect([drivingStartAt, drivingEndAt]).toEqual([at(20), at(30)]);
});
