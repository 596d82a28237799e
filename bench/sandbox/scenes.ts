import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rounded } from '../statistics.js';
import { type Figures, load } from './load.js';
import type { Stage } from './stage.js';

const hour = 3_600_000;
const driver = {
  name: '김시험',
  birth: '19900131',
  phone: '01000001234',
  licenseNumber: '00-00-000000-00',
  address: '서울시 중구 1',
};

/** Later than the days that the stage has filled. */
let slot = Date.now() + 40 * 24 * hour;

function booking(productId: number, startAt: number) {
  const period = { startAt: new Date(startAt).toISOString(), endAt: new Date(startAt + hour).toISOString() };
  return { productId, ...period, pickupAddress: '서울역 1번 출구', driver };
}

async function needs(answer: Promise<{ status: number }>, ...statuses: number[]): Promise<number> {
  const { status } = await answer;
  if (!statuses.includes(status)) throw new Error(`the sandbox answered ${status}`);
  return status;
}

export const products = (stage: Stage, count: number): Promise<Figures> =>
  load(count, 8, async () => {
    await needs(stage.call('GET', '/product?productApproveStatus=1'), 200);
  });

/** GET /schedule over 30 days, for a company of the fleet. */
export function schedules(stage: Stage, count: number): Promise<Figures> {
  const date = (at: number) => new Date(at).toISOString().slice(0, 10);
  const path = `/schedule?startDate=${date(Date.now())}&endDate=${date(Date.now() + 29 * 24 * hour)}`;
  return load(count, 4, async () => {
    await needs(stage.call('GET', path, undefined, 'supplier'), 200);
  });
}

/** Bookings one after the other, each with another product and hour. */
export const bookings = (stage: Stage, count: number): Promise<Figures> => {
  let turn = 0;
  return load(count, 1, async () => {
    slot += 2 * hour;
    await needs(stage.call('POST', '/reservations', booking(301 + (turn++ % 60), slot)), 200);
  });
};

/** 32 clients book the same five products in the same few hours: more bookings than cars. */
export async function race(stage: Stage, count: number): Promise<Figures & { won: number; lost: number }> {
  const from = Date.now() + 400 * 24 * hour;
  let won = 0;
  let turn = 0;
  const figures = await load(count, 32, async () => {
    const body = booking(301 + (turn % 5), from + (Math.floor(turn++ / 5) % 12) * hour);
    if ((await needs(stage.call('POST', '/reservations', body), 200, 409)) === 200) won++;
  });
  return { ...figures, won, lost: count - won };
}

/** A receiver that acknowledges every callback at once. */
export async function openReceiver() {
  let count = 0;
  let first = 0;
  let last = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      last = performance.now();
      if (count++ === 0) first = last;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin() {
      count = 0;
    },
    seen: () => ({ count, perSecond: rounded(count / ((last - first) / 1000), 1) }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A fault holds back callbacks until all exist, then they are sent together: how fast they are sent and recorded. */
export async function callbacks(
  stage: Stage,
  receiver: Awaited<ReturnType<typeof openReceiver>>,
  count: number,
) {
  await stage.call('POST', '/sandbox/clock', { freeze: true });
  const held = { event: '*', probability: 1, effect: { kind: 'delay', ms: 30_000 } };
  await stage.call('PUT', '/sandbox/faults', { callbacks: [held] });
  await bookings(stage, count);
  receiver.begin();
  await needs(stage.call('POST', '/sandbox/clock', { advanceBy: 'PT31S' }), 200);
  return receiver.seen();
}
