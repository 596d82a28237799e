import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventChannel } from '../../src/domain/reservation/types.js';
import { dueAt } from '../../src/store/callbacks/due.js';

const atRest = { waitMs: 100, pairsWait: false };
const busy = { waitMs: 300, pairsWait: true };
const at = (channel: EventChannel, receivedAt: number) => ({ channel, receivedAt });
const changes = fc.constantFrom<EventChannel>('update', 'status', 'car');

describe('when waiting callbacks of a reservation are sent', () => {
  it('the first of two channels waits for the second, and both are sent as soon as it has arrived', () => {
    expect(dueAt([at('update', 1_000)], atRest)).toBe(1_100);
    expect(dueAt([at('update', 1_000), at('status', 1_030)], atRest)).toBe(1_000);
    expect(dueAt([at('status', 1_000), at('update', 1_030)], atRest)).toBe(1_000);
  });

  it('a registration, which one channel reports, waits for nothing', () => {
    expect(dueAt([at('registration', 1_000)], atRest)).toBe(1_000);
  });

  it('a repeat on the same channel is no second callback', () => {
    expect(dueAt([at('update', 1_000), at('update', 1_010)], atRest)).toBe(1_100);
  });

  it('under load a change waits for the next one too, and a registration for nothing', () => {
    expect(dueAt([at('update', 1_000), at('status', 1_030)], busy)).toBe(1_300);
    expect(dueAt([at('status', 1_000)], busy)).toBe(1_300);
    expect(dueAt([at('registration', 1_000), at('status', 1_030)], busy)).toBe(1_000);
  });

  it.each([
    ['at rest', atRest, 100],
    ['under load', busy, 300],
  ])('no callback waits longer than the limit, whatever follows it: %s', (_, coalescing, limitMs) => {
    const waiting = fc.array(fc.record({ channel: changes, receivedAt: fc.nat(10_000) }), { minLength: 1 });
    fc.assert(
      fc.property(waiting, (given) => {
        const [first, ...others] = given.toSorted((a, b) => a.receivedAt - b.receivedAt);
        if (first === undefined) return;
        const due = dueAt([first, ...others], coalescing);
        expect(due).toBeGreaterThanOrEqual(first.receivedAt);
        expect(due).toBeLessThanOrEqual(first.receivedAt + limitMs);
      }),
    );
  });
});
