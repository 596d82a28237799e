import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { canonical, fingerprint } from '../../../../src/domain/shared/hash.js';
import { Tombstones } from '../../../../src/domain/shared/tombstones.js';
import {
  hour,
  origin,
  override,
  registered,
  Story,
  unknown,
  whole,
} from '../../../support/reservation-story.js';

/** What an erasure leaves of values that belong together. */
function erase<T>(...values: T[]): T[] {
  const tombstones = new Tombstones();
  for (const value of values) tombstones.learn(value);
  return values.map((value) => tombstones.replace(value) as T);
}
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const driver = {
  name: 'Hong',
  birth: '19850417',
  phone: '01055512001',
  licenseNumber: '11-85',
  address: 'B',
};
const facts = fc.record(
  {
    driver: fc.constantFrom(driver, { ...driver, phone: '01055512002' }, { ...driver, address: 'C' }),
    companion: fc.constantFrom(null, {}, { name: 'Lee', phone: '01055512003' }, { name: 'Park' }),
    pickupAddress: fc.constantFrom('7 Pickup-daero', '8 Pickup-daero', ' 9 Pickup-daero '),
    pickupMemo: fc.constantFrom('wears a red hat', 'wears a blue hat'),
    parking: fc.record(
      {
        memo: fc.constantFrom('B2 beside pillar 14', 'B3'),
        imageUrl: fc.constantFrom('https://p.example/hong', 'https://p.example/lee'),
      },
      { requiredKeys: [] },
    ),
    car: fc.constantFrom(whole.car, { id: 13, number: '13가0000' }),
    changedAt: fc.constantFrom(origin + hour, origin + 2 * hour),
  },
  { requiredKeys: [] },
);
const callbacks = fc.array(
  fc.tuple(
    fc.constantFrom('registration' as const, 'update' as const),
    fc.constantFrom(5, 10, 15, 40),
    facts,
  ),
  { minLength: 1, maxLength: 12 },
);

/** As the relay makes them: every third has no id of its sender. */
function toEvents(given: [lifecycle.EventChannel, number, object][]): lifecycle.ReservationEvent[] {
  return given.map(([channel, status, stated], index) => {
    const content = { channel, status, ...stated };
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const eventId =
      index % 3 === 0 ? `content:${hash(`keyed ${canonical(content)}`)}:${index}` : `msg-${index}`;
    const identified = { eventId, inboxId: index + 1, receivedAt: origin + index * hour };
    return { ...identified, contentHash: hash(canonical(content)), ...content };
  });
}

/** One run: what it passes to the next, and what it decided. */
function play(start: lifecycle.ReservationState, events: lifecycle.ReservationEvent[]) {
  let state = start;
  const decided = events.map((event) => {
    const { verdict, entries, state: next } = lifecycle.observe(state, event, event.receivedAt);
    state = next;
    return { verdict, entries, attention: next.attention };
  });
  return { state: copy(state), decided };
}

/** Everything that a guess of what was stated could be compared with. */
function comparable(events: lifecycle.ReservationEvent[]): string[] {
  return events.flatMap(({ eventId, contentHash, driver, companion, pickupAddress, pickupMemo, parking }) => {
    const stated = [driver, companion, pickupAddress, pickupMemo, parking?.memo, parking?.imageUrl];
    const personal = stated.filter((value) => value != null && canonical(value) !== '{}');
    const ids = eventId.startsWith('content:') ? [eventId.split(':')[1] ?? '', fingerprint(eventId)] : [];
    return [contentHash, fingerprint(contentHash), ...ids, ...personal.map(fingerprint)];
  });
}

describe('L60: after an erasure', () => {
  const first = new Story().state;

  it('both runs of a chain decide as before, and no fingerprint or hash of what was stated is left', {
    timeout: 30_000,
  }, () => {
    fc.assert(
      fc.property(callbacks, fc.nat(12), fc.boolean(), (given, at, isRepeated) => {
        const events = toEvents(given);
        // a duplicate by its id, across the two runs
        if (isRepeated) events.push(...events.slice(0, 2));
        const [early, late] = [events.slice(0, at), events.slice(at)];
        const before = play(first, early);
        const after = play(before.state, late);
        // in the order in which an erasure reads them: the newest run first
        const values = [before.state, late, early] as unknown[];
        const [state, lateLeft, earlyLeft] = erase(...values) as [typeof first, typeof late, typeof early];
        expect(play(state, lateLeft).decided).toEqual(after.decided);
        const again = play(first, earlyLeft);
        expect(again.decided).toEqual(before.decided);
        expect(again.state).toEqual(state);
        const left = JSON.stringify([state, lateLeft, earlyLeft]);
        expect(
          comparable(events).filter(
            (one) => left.includes(`"${one}"`) || (one.length > 20 && left.includes(one)),
          ),
        ).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('a companion that was removed leaves no fingerprint', () => {
    const companion = { name: 'Lee', phone: '01055512003' };
    const story = registered({ companion });
    story.updated(10, { companion: null });
    expect(story.state.facts.companion?.known).toContain(fingerprint(companion));
    const [left] = erase(copy(story.state));
    expect(JSON.stringify(left)).not.toContain(fingerprint(companion));
    expect(left?.facts.companion?.known).toContain(fingerprint(null));
    expect(left?.facts.companion?.known).toHaveLength(2);
    // those of ids, times and plates stay
    expect(left?.facts.period).toEqual(copy(story.state.facts.period));
    expect(left?.facts.car).toEqual(copy(story.state.facts.car));
  });

  it('a long text that the state has shortened is no other value when it is repeated in a later run', () => {
    const pickupMemo = '가'.repeat(1_500);
    const story = registered({ pickupMemo });
    const event = story.event('registration', { status: 5, ...whole, pickupMemo, productId: 8 });
    const [state, repeated] = erase<object>(copy(story.state), event) as [typeof story.state, typeof event];
    expect(lifecycle.observe(state, repeated, story.now).state.facts.pickupMemo?.claims).toHaveLength(1);
  });

  it('what was equal is equal, and what differed differs', () => {
    const event = { eventId: 'msg-1', contentHash: 'a'.repeat(64) };
    const other = { eventId: 'msg-2', contentHash: 'b'.repeat(64) };
    const state = { newest: { 'update@5': fingerprint(other.contentHash), 'car@5': fingerprint('gone') } };
    const [newest, a, b, again] = erase<object>(state, event, other, event) as [
      typeof state,
      typeof event,
      typeof event,
      typeof event,
    ];
    expect(a).toEqual(again);
    expect(a.contentHash).not.toBe(b.contentHash);
    expect(newest.newest['update@5']).toBe(fingerprint(b.contentHash));
    expect(newest.newest['car@5']).not.toBe(fingerprint('gone'));
    expect(new Set([...Object.values(newest.newest), fingerprint(a.contentHash)]).size).toBe(3);
  });

  it('L21: the repeat of a command is still the same request in a later run, and another body is not', () => {
    const story = registered();
    const command = story.command('dispatch.staff');
    story.take(lifecycle.accept(story.state, command, story.now));
    const other = { ...command, body: { staffName: 'Park', staffPhone: '1' } };
    const values = [copy(story.state), command, other] as unknown[];
    const [state, repeated, changed] = erase(...values) as [
      typeof story.state,
      typeof command,
      typeof command,
    ];
    expect(lifecycle.decide(state, repeated)).toBeNull();
    expect(lifecycle.decide(state, changed)).toMatchObject({ code: 'COMMAND_ID_REUSED' });
    const mark = story.state.commands[0]?.content ?? '';
    expect(JSON.stringify([state, repeated, changed])).not.toContain(mark);
  });

  it('L24: a photo of unknown outcome is shown by another image, not by the one before it', () => {
    const story = registered({ parking: { imageUrl: 'https://p.example/hong' } });
    story.sendAction('dispatch.parkingImage', unknown, { override });
    const image = (url: string) => story.event('update', { status: 10, parking: { imageUrl: url } });
    const values = [
      copy(story.state),
      image('https://p.example/hong'),
      image('https://p.example/2'),
    ] as unknown[];
    const [state, same, next] = erase(...values) as [
      typeof story.state,
      lifecycle.ReservationEvent,
      lifecycle.ReservationEvent,
    ];
    const outcome = (event: lifecycle.ReservationEvent) =>
      lifecycle.observe(state, event, story.now).state.commands.at(-1)?.state;
    expect(outcome(same)).toBe('unknown');
    expect(outcome(next)).toBe('applied');
    expect(JSON.stringify(state)).not.toContain(fingerprint('https://p.example/hong'));
  });

  it('F57: a recall note leaves no fingerprint, before and after the platform has it', () => {
    const text = 'Gil-dong left a scratch';
    const key = fingerprint([12, text]);
    const note = { commandId: 'c', carId: 12, by: 'kim', key, text, memoId: null };
    for (const one of [note, { ...note, text: null, memoId: 5 }]) {
      const [left] = erase({ notes: [one] });
      expect(left?.notes[0]?.key).not.toBe(key);
    }
    const [state] = erase({ notes: [note] });
    const [left] = state?.notes ?? [];
    expect(left?.key).toBe(fingerprint([12, left?.text]));
  });
});
