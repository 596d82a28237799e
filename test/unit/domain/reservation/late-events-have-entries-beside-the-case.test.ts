import { describe, expect, it } from 'vitest';
import { afterClosing, type EventChannel, toEntry } from '../../../../src/domain/reservation/index.js';
import { hour, origin, policy } from '../../../support/reservation-story.js';

const now = origin + hour;

/** The timeline entry of a late event. */
function entryOf(ended: number | null, status?: number, channel: EventChannel = 'status') {
  const event = { eventId: 'e', inboxId: 9, channel, receivedAt: now, contentHash: 'e' };
  const late = status === undefined ? event : { ...event, status };
  return toEntry(
    afterClosing(late, { reservationId: 8421, status: ended }, policy.fromStates, now),
    1,
    now,
    540,
  );
}

describe('L08: an event that comes after its reservation was closed', () => {
  it.each([
    [35, 30],
    [35, 25],
    [40, 15],
    [45, 10],
    [45, 40],
    [45, 45],
    [50, 5],
  ])('ended at %i: a late %i belongs to the same history and raises no attention', (ended, status) => {
    const line = entryOf(ended, status);
    expect(line).toMatchObject({ rule: 'L08', data: { inboxId: 9, verdict: 'after-terminal', status } });
    expect(line.attention).toBeUndefined();
    expect(line.text).toMatch(/: the reservation was closed before it came; the end stands\.$/);
  });

  it.each([
    [45, 20, 'terminal-contradiction'],
    [40, 30, 'terminal-contradiction'],
    [50, 10, 'terminal-contradiction'],
    [45, 35, 'conflict'],
    [35, 40, 'conflict'],
  ])('ended at %i: a late %i contradicts the end, and operations are notified: %s', (ended, status, kind) => {
    const { text, attention } = entryOf(ended, status);
    expect(text).toContain(`it contradicts ${ended} (`);
    expect(attention).toMatchObject({ kind, change: 'raised', since: now });
    expect(attention?.alert).toContain('reservation 8421');
  });

  it('has an entry about its arrival only where its status or the end is not known', () => {
    for (const line of [entryOf(null, 20), entryOf(45, 99), entryOf(45, undefined, 'car')]) {
      expect(line.attention).toBeUndefined();
      expect(line.text).toMatch(/the end stands\.$/);
    }
  });

  it('its entry names the event, and which reading of it', () => {
    const event = { eventId: 'e', inboxId: 9, channel: 'status', receivedAt: now, contentHash: 'e' } as const;
    const data = (parts: object) =>
      afterClosing({ ...event, ...parts }, { reservationId: 1, status: 35 }, policy.fromStates, now).data;
    expect(data({})).toEqual({ inboxId: 9, verdict: 'after-terminal', status: null });
    expect(data({ status: 30, replay: 2 })).toEqual({
      inboxId: 9,
      replay: 2,
      verdict: 'after-terminal',
      status: 30,
    });
  });
});
