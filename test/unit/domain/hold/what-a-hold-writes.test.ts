import { expect, it } from 'vitest';
import { releaseHold } from '../../../../src/domain/hold/index.js';
import { day, HoldWorld, hour, midnight } from '../../../support/hold-world.js';

it.each([
  [
    { reservationId: null, withdrawFromSale: false },
    '[hold h-1] tyres, 2026-11-21T09:00:00.000+0900 - 2026-11-23T09:00:00.000+0900',
  ],
  [
    { reservationId: 7, withdrawFromSale: true },
    '[hold h-1] [reservation 7] tyres, 2026-11-21T09:00:00.000+0900 - 2026-11-23T09:00:00.000+0900, not on sale',
  ],
])(
  'F02: the memo names the hold, whose it is, why, from when to when, and whether the car is on sale',
  (request, memo) => {
    expect(new HoldWorld({ ...request, reason: 'tyres' }).run(midnight + hour).memos).toEqual([memo]);
  },
);

it('F08: the schedule is read around the period, thirty days and the length of the hold to each side', () => {
  const period = { start: midnight + 60 * day, end: midnight + 62 * day };
  const world = new HoldWorld({ period, withdrawFromSale: false });
  world.fates = ['taken', 'vanished'];
  world.run(midnight + hour);
  expect(world.done('read-schedules')[0]).toEqual({
    do: 'read-schedules',
    carId: 1001,
    carNumber: 'car',
    range: { start: period.start - 32 * day, end: period.end + 32 * day },
  });
});

/** Extended and released early, with one product on sale, one not, and one that lost the car. */
function played(): HoldWorld {
  const world = new HoldWorld({ reservationId: 7 }).run(midnight + hour);
  world.sale.delete(303);
  const end = midnight + 3 * day;
  world.change({ end, reason: 'longer' });
  world.run(midnight + 2 * hour);
  world.state = releaseHold(world.state, { commandId: 'r-1', by: 'park', reason: 'it is back' }, world.now);
  return world.run(midnight + 3 * hour);
}

it('F17: the audit has each request and each sale status that changed, with who, when, before, after and outcome', () => {
  const { audit } = played().state;
  const request = { carId: 1001, outcome: 'applied' };
  const product = { carId: 1001, holdId: 'h-1', outcome: 'applied' };
  const line = (by: string, action: string, subject: string, reason: string | null, data: object) => ({
    seq: expect.any(Number),
    at: expect.any(Number),
    by,
    action,
    subject,
    reason,
    data,
  });
  const sale = (action: string, productId: number, before: string, after: string) =>
    line('kim', `sale-status.${action}`, `product/${productId}/car/1001`, null, {
      ...product,
      productId,
      before,
      after,
    });
  const [first, second] = [
    '2026-11-21T00:00:00.000Z/2026-11-23T00:00:00.000Z',
    '2026-11-21T00:00:00.000Z/2026-11-24T00:00:00.000Z',
  ];
  expect(audit).toEqual([
    line('kim', 'hold.create', 'hold/h-1', 'maintenance', {
      ...request,
      commandId: 'h-1',
      scheduleId: 501,
      before: null,
      after: first,
    }),
    sale('withdraw', 301, 'Y', 'N'),
    sale('withdraw', 303, 'Y', 'N'),
    line('lee', 'hold.change', 'hold/h-1', 'longer', {
      ...request,
      commandId: 'c-1',
      before: first,
      after: second,
    }),
    sale('restore', 301, 'N', 'Y'),
    line('park', 'hold.release', 'hold/h-1', 'it is back', {
      ...request,
      commandId: 'r-1',
      restored: 1,
      leftAlone: 2,
      leftInPlace: 0,
    }),
  ]);
  expect(audit.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
});

it('F16: the view shows the hold, its entry, memo, products and requests, in the zone of the service', () => {
  const world = played();
  const at = expect.stringMatching(/^2026-11-21T1\d:.*\+09:00$/);
  const command = {
    outcome: 'applied',
    at: expect.stringMatching(/\+09:00$/),
    refused: null,
    mark: expect.any(String),
  };
  expect(world.view).toEqual({
    holdId: 'h-1',
    carId: 1001,
    carNumber: 'car',
    state: 'released',
    open: false,
    period: { start: '2026-11-21T09:00:00.000+09:00', end: '2026-11-24T09:00:00.000+09:00' },
    reason: 'longer',
    withdrawFromSale: true,
    reservationId: 7,
    by: 'kim',
    createdAt: '2026-11-21T09:00:00.000+09:00',
    endedAt: at,
    schedule: { scheduleId: 501, state: 'placed' },
    memoId: 1,
    sale: [
      { productId: 301, state: 'restored' },
      { productId: 302, state: 'was-off' },
      { productId: 303, state: 'left' },
    ],
    attention: [],
    refused: null,
    commands: [
      { ...command, commandId: 'h-1', action: 'create', by: 'kim' },
      { ...command, commandId: 'c-1', action: 'change', by: 'lee' },
      { ...command, commandId: 'r-1', action: 'release', by: 'park' },
    ],
    mark: 'mark',
  });
});
