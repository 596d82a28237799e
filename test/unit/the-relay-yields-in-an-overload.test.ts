import { expect, it } from 'vitest';
import { Rate } from '../../src/inbox/relay/rate.js';
import { YieldingLimit } from '../../src/inbox/relay/yielding-limit.js';

/** Callbacks at an even rate. @returns whether there was an overload at some time */
function sends(overload: Rate, clock: { now: number }, perSecond: number, seconds: number): boolean {
  let was = false;
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    clock.now += 1000 / perSecond;
    overload.record();
    was ||= overload.isHigh;
  }
  return was;
}

it('an overload begins at the rate, within a second, and ends a second after its last callback', () => {
  const clock = { now: 5_000 };
  const overload = new Rate(200, () => clock.now);
  expect(sends(overload, clock, 190, 10)).toBe(false);
  expect(sends(overload, clock, 250, 1)).toBe(true);
  clock.now += 500;
  expect(overload.isHigh).toBe(true);
  clock.now += 501;
  expect(overload.isHigh).toBe(false);
});

it('what comes at one moment is no overload, such as a bulk each second, or what a stall of 0.4 s released', () => {
  const clock = { now: 5_000 };
  const overload = new Rate(200, () => clock.now);
  for (let round = 0; round < 20; round++) {
    for (let one = 0; one < 80; one++) overload.record();
    expect(overload.isHigh).toBe(false);
    clock.now += 1_000;
  }
});

it('in an overload the relay starts one send every quarter of a second, however many hang, up to the limit', () => {
  let now = 0;
  const limit = new YieldingLimit({ most: 3, lagMs: () => 0, isOverloaded: () => true, now: () => now });
  expect([limit.more(0), limit.more(1)]).toEqual([1, 0]);
  now += 249;
  expect(limit.more(1)).toBe(0);
  now += 1;
  expect(limit.more(1)).toBe(1);
  now += 250;
  expect([limit.more(3), limit.more(2)]).toEqual([0, 1]);
});

it('without an overload the relay adapts to the event loop: half as many sends while it is late, one more each time it is not', () => {
  let lag = 0;
  const limit = new YieldingLimit({ most: 16, lagMs: () => lag, isOverloaded: () => false });
  expect(limit.more(4)).toBe(12);
  lag = 31;
  expect([limit.more(0), limit.more(0), limit.more(0), limit.more(0), limit.more(0)]).toEqual([
    8, 4, 2, 1, 1,
  ]);
  expect(limit.more(5)).toBe(0);
  lag = 0;
  expect([limit.more(0), limit.more(0)]).toEqual([2, 3]);
});
