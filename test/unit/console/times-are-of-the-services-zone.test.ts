import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadModules, stubPage } from '../../support/page.js';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-30T16:30:00Z') });
  class Channel {}
  stubPage({ BroadcastChannel: Channel, addEventListener: () => {}, localStorage: { getItem: () => null } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function inZone(timeZone: string) {
  const [time, session] = await loadModules('console/design/time.tsx', 'console/state/session.ts');
  session.session.value = { is: 'in', me: { name: 'kim', role: 'staff', timeZone } };
  return time;
}

describe('a time of the console', () => {
  it.each([
    ['+09:00', '2026-07-01T01:30', '01:30', 'Jul 2 01:30'],
    ['-03:30', '2026-06-30T13:00', '13:00', 'Jul 1 13:00'],
    ['Z', '2026-06-30T16:30', '16:30', 'Jul 1 16:30'],
  ])('is of the zone %s, with its day where that is not today (G18)', async (zone, local, today, next) => {
    const { toLocal, formatMoment, toInstant } = await inZone(zone);
    expect(toLocal('2026-06-30T16:30:00Z')).toBe(local);
    expect(formatMoment(Date.now())).toBe(today);
    expect(formatMoment('2026-07-01T16:30:00.000Z')).toBe(next);
    expect(toInstant(local)).toBe(`${local}:00${zone}`);
    expect(Date.parse(toInstant(local))).toBe(Date.now());
  });

  it('has the year where it is another one, and seconds on request', async () => {
    const { formatMoment } = await inZone('+09:00');
    expect(formatMoment('2026-12-31T14:59:59Z', { withSeconds: true })).toBe('Dec 31 23:59:59');
    expect(formatMoment('2026-12-31T15:00:00Z')).toBe('Jan 1, 2027 00:00');
    expect(formatMoment(Date.now(), { withDay: true })).toBe('Jul 1 01:30');
  });

  it('that a field does not have is none', async () => {
    expect((await inZone('+09:00')).toInstant('')).toBeUndefined();
  });
});
