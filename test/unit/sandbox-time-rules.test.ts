import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { behaviour } from '../../src/platform/profiles/default/behaviour.js';
import { Clock } from '../../src/sandbox/core/clock.js';
import { release } from '../../src/sandbox/core/release.js';
import { nextAttemptAt } from '../../src/sandbox/core/retry.js';
import { nextTimedMove } from '../../src/sandbox/core/time-rules.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

describe('time moves a reservation', () => {
  it.each([5, 10, 15])('G37: from %i to 45 when the end passes', (status) => {
    expect(nextTimedMove(behaviour, { status, endAt: 100, failAt: null })).toEqual({ at: 100, to: 45 });
  });

  it('G37: from 20 to 25 when the end passes', () => {
    expect(nextTimedMove(behaviour, { status: 20, endAt: 100, failAt: null })).toEqual({ at: 100, to: 25 });
  });

  it('G36: from 5 to 50 when the registration stays unacknowledged, unless the end comes first', () => {
    expect(nextTimedMove(behaviour, { status: 5, endAt: 100, failAt: 60 })).toEqual({ at: 60, to: 50 });
    expect(nextTimedMove(behaviour, { status: 5, endAt: 50, failAt: 60 })).toEqual({ at: 50, to: 45 });
    expect(nextTimedMove(behaviour, { status: 10, endAt: 100, failAt: 60 })).toEqual({ at: 100, to: 45 });
  });

  it.each([25, 30, 35, 40, 45, 50])('G44, States: nothing from %i', (status) => {
    expect(nextTimedMove(behaviour, { status, endAt: 100, failAt: 60 })).toBeNull();
  });
});

describe('a schedule is released at a terminal', () => {
  it.each([
    { period: { startAt: 10, endAt: 20 }, now: 9, released: 'delete' },
    { period: { startAt: 10, endAt: 20 }, now: 10, released: 'delete' },
    { period: { startAt: 10, endAt: 20 }, now: 11, released: { endAt: 11 } },
    { period: { startAt: 10, endAt: 20 }, now: 19, released: { endAt: 19 } },
    { period: { startAt: 10, endAt: 20 }, now: 20, released: 'keep' },
    { period: { startAt: 10, endAt: 20 }, now: 30, released: 'keep' },
  ])('G39: at $now of $period: $released', ({ period, now, released }) => {
    expect(release(period, now)).toEqual(released);
  });

  it('G39: what remains never ends after now, and never before its start', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 1000 }), fc.nat(3000), (startAt, length, now) => {
        const left = release({ startAt, endAt: startAt + length }, now);
        const endAt = left === 'keep' ? startAt + length : left === 'delete' ? null : left.endAt;
        return endAt === null || (endAt > startAt && endAt <= now);
      }),
    );
  });
});

describe('retries of a callback', () => {
  const all = Array.from({ length: 40 }, (_, index) => nextAttemptAt(behaviour.retries, 0, index + 1));

  it('G34: 1 s, 5 s, 30 s, 2 min, 10 min after the first attempt, then hourly to 24 h', () => {
    const offsets = all.filter((at) => at !== null);
    expect(offsets.slice(0, 7)).toEqual([
      second,
      5 * second,
      30 * second,
      2 * minute,
      10 * minute,
      10 * minute + hour,
      10 * minute + 2 * hour,
    ]);
    expect(offsets.at(-1)).toBe(10 * minute + 23 * hour);
    expect(all.slice(offsets.length).every((at) => at === null)).toBe(true);
  });
});

describe('the clock', () => {
  it('never goes backwards, whatever is done to it', () => {
    const step = fc.oneof(
      fc.constant({ kind: 'freeze' as const }),
      fc.constant({ kind: 'resume' as const }),
      fc.record({ kind: fc.constant('advance' as const), by: fc.integer({ min: -hour, max: 24 * hour }) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const clock = new Clock();
        let last = clock.now();
        for (const one of steps) {
          if (one.kind === 'advance') clock.advanceTo(last + one.by);
          else clock[one.kind]();
          const now = clock.now();
          if (now < last) return false;
          last = now;
        }
        return true;
      }),
    );
  });

  it('stops while it is frozen and continues from there', () => {
    const clock = new Clock();
    clock.freeze();
    const stood = clock.now();
    clock.advanceTo(stood + hour);
    expect(clock.now()).toBe(stood + hour);
    expect(clock.realMsUntil(stood + 2 * hour)).toBe(Number.POSITIVE_INFINITY);
    const again = new Clock(clock.snapshot());
    expect(again.now()).toBe(stood + hour);
    again.resume();
    expect(again.realMsUntil(stood + 2 * hour)).toBeLessThanOrEqual(hour);
  });
});
