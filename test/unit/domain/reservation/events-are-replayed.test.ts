import { expect, it } from 'vitest';
import { previewEvents, type ReservationEvent } from '../../../../src/domain/reservation/index.js';
import { hour, minute, origin, Story, whole } from '../../../support/reservation-story.js';

const longer = { ...whole.period, end: whole.period.end + 5 * hour };
const longest = { ...whole.period, end: whole.period.end + 9 * hour };

/** The same stored event, read again by today's code. */
function again(event: ReservationEvent, parts: Partial<ReservationEvent> = {}, replay = 1): ReservationEvent {
  const contentHash = Object.keys(parts).length === 0 ? event.contentHash : `${event.contentHash}:${replay}`;
  return { ...event, ...parts, eventId: `${event.eventId}:replay-${replay}`, replay, contentHash };
}

/** What is believed; not the story, which has a line more. */
const believed = ({ state }: Story) => ({ ...state, seq: 0, seen: [], arrivals: 0 });

it('a replayed event that reads as before is a duplicate', () => {
  const story = new Story();
  story.registered();
  const event = story.event('update', { status: 10, ...whole });
  story.observe(event);
  const before = believed(story);
  expect(story.observe(again(event))).toEqual({
    inboxId: event.inboxId,
    replay: 1,
    verdict: 'duplicate',
    rule: 'L01',
  });
  expect(believed(story)).toEqual(before);
  expect(story.entries.at(-1)).toMatchObject({ data: { inboxId: event.inboxId, replay: 1 } });
  expect(story.entries.at(-1)?.text).toContain(', replayed:');
});

it('the same reading delivered twice has one effect', () => {
  const story = new Story();
  const event = again(story.event('update', { status: 10, ...whole }));
  story.observe(event);
  const before = believed(story);
  expect(story.observe(event)).toMatchObject({ verdict: 'duplicate', rule: 'L01', replay: 1 });
  expect(believed(story)).toEqual(before);
});

it('a value that a replay adds fills a missing one', () => {
  const story = new Story();
  const event = story.event('update', { status: 10, ...whole });
  story.observe(event);
  expect(story.observe(again(event, { pickupAddress: 'Seoul Station' }))).toMatchObject({
    verdict: 'applied',
  });
  expect(story.view).toMatchObject({ pickup: { address: 'Seoul Station' }, marks: ['adopted'] });
});

it('L13: an older replayed event never replaces a later one', () => {
  const story = new Story();
  const events = [whole.period, longer, whole.period, longest].map((period, index) => {
    const event = story.event('update', { status: 20, ...whole, period });
    story.observe({ ...event, receivedAt: origin + index * minute });
    return { ...event, receivedAt: origin + index * minute };
  });
  const shown = story.view.period;
  for (const event of events.toReversed()) story.observe(again(event));
  expect(story.view.period).toEqual(shown);
});

it('L13: an event that could not be read at first takes its place before later ones', () => {
  const story = new Story();
  const missed = { ...story.event('update', { status: 20, ...whole, period: longer }), receivedAt: origin };
  story.observe({ ...story.event('update', { status: 20, ...whole }), receivedAt: origin + minute });
  story.observe(again(missed));
  expect(story.state.facts.period?.claims).toHaveLength(2);
  expect(story.view.period?.end).toContain('2026-11-22T13:00');
});

it('L13: an event that could not be read at first counts over earlier ones', () => {
  const story = new Story();
  story.observe({ ...story.event('update', { status: 20, ...whole }), receivedAt: origin });
  const missed = story.event('update', { status: 20, ...whole, period: longer });
  story.observe(again({ ...missed, receivedAt: origin + minute }));
  expect(story.view.period?.end).toContain('2026-11-22T18:00');
});

it('L14: a known car event keeps its place', () => {
  const story = new Story();
  story.updated(10);
  const first = story.event('car', { car: { id: 13, number: '34나5678' }, previousCarId: 12 });
  story.observe(first);
  story.observe(story.event('car', { car: { id: 14, number: '56다7890' }, previousCarId: 13 }));
  const before = story.view.car;
  story.observe(again(first));
  expect(story.view.car).toEqual(before);
});

it('a value that only the replayed event reported is removed where it reads another value now', () => {
  const story = new Story();
  const event = story.event('update', { status: 10, ...whole });
  story.observe(event);
  expect(story.observe(again(event, { period: longer })).verdict).toBe('applied');
  expect(story.view.period).toMatchObject({ end: expect.stringContaining('2026-11-22T18:00'), changes: 0 });
  expect(story.view.marks).toEqual(['adopted']);
});

it('L13: a value that other events reported too stays beside the new one', () => {
  const story = new Story();
  const first = story.event('update', { status: 10, ...whole });
  story.observe(first);
  story.at(origin + minute).observe(story.event('update', { status: 10, ...whole, period: longer }));
  story.at(origin + 2 * minute).observe(story.event('update', { status: 10, ...whole }));
  story.observe(again(first, { period: longest }));
  expect(story.view.period).toMatchObject({ end: expect.stringContaining('2026-11-22T13:00'), changes: 2 });
  expect(story.state.facts.period?.claims).toHaveLength(3);
});

it('L13: a value reported at a higher rung stays, whatever a replayed event at a lower rung reports', () => {
  const story = new Story();
  const early = story.event('update', { status: 10, ...whole });
  story.observe(early);
  story.updated(15, { period: longer });
  story.observe(again(early, { period: longest }));
  expect(story.view.period?.end).toContain('2026-11-22T18:00');
});

it('L14: a replayed car event that names another car counts for that car only', () => {
  const story = new Story();
  story.updated(10);
  const event = story.event('car', { car: { id: 31, number: '34나5678' }, previousCarId: 12 });
  story.observe(event);
  story.observe(again(event, { car: { id: 13, number: '34나5678' } }));
  expect(story.view.car).toMatchObject({ id: 13, changes: 1 });
  expect(story.state.carChanges).toHaveLength(1);
});

it('a preview applies events one after the other, and changes nothing', () => {
  const story = new Story();
  story.registered();
  const departed = story.event('update', { status: 10, ...whole });
  const extended = story.event('update', { status: 10, ...whole, period: longer });
  const preview = previewEvents(story.state, [departed, departed, extended], story.now);
  expect(preview).toMatchObject([
    { inboxId: departed.inboxId, verdict: 'applied' },
    { inboxId: departed.inboxId, verdict: 'duplicate', rule: 'L01', changes: [] },
    { inboxId: extended.inboxId, verdict: 'applied', rule: 'L12' },
  ]);
  const change = (index: number, field: string) => preview[index]?.changes.find((one) => one.field === field);
  expect(change(0, 'status.code')).toEqual({ field: 'status.code', before: 5, after: 10 });
  expect(change(2, 'status.code')).toBeUndefined();
  expect(change(2, 'period.end')?.after).toContain('2026-11-22T18:00');
  expect(story.view.status.code).toBe(5);
});

it('a preview names each innermost field with both values, a list as one, and nothing that a deadline changed', () => {
  const story = new Story();
  story.status(10);
  story.now = origin + 10 * minute;
  const at = '2026-11-21T09:10:00.000+09:00';
  const memo = story.event('status', { status: 10, pickupMemo: 'gate 2' });
  const evidence = { grade: 'observed', source: { kind: 'event', id: '2' }, at };
  const [first, second] = previewEvents(
    story.state,
    [memo, story.event('registration', { status: 5, period: whole.period })],
    story.now,
  );
  expect(first?.changes).toEqual([
    { field: 'pickup.memo', before: null, after: 'gate 2' },
    { field: 'evidence.pickup.memo', before: null, after: evidence },
  ]);
  const fields = Object.fromEntries((second?.changes ?? []).map(({ field, ...values }) => [field, values]));
  expect(fields).toMatchObject({
    registered: { before: false, after: true },
    marks: { before: ['adopted'], after: [] },
    period: { before: null, after: { changes: 0 } },
    'expected.by': { before: null, after: '2026-11-21T13:00:00.000+09:00' },
  });
});

it('a preview of an event that comes after its time shows what is due with it', () => {
  const story = new Story();
  story.registered();
  story.updated(20);
  const shorter = { ...whole.period, end: origin - minute };
  const [preview] = previewEvents(
    story.state,
    [story.event('update', { status: 20, period: shorter })],
    origin,
  );
  expect(preview?.changes.find(({ field }) => field === 'attention')).toMatchObject({
    before: [],
    after: [{ kind: 'return-late' }, { kind: 'odd-period' }],
  });
});

it('the preview equals the later result', () => {
  const story = new Story();
  story.registered();
  const event = story.event('update', { status: 15, ...whole, car: { id: 13, number: '34나5678' } });
  const before = story.view as unknown as Record<string, unknown>;
  const [preview] = previewEvents(story.state, [event], story.now);
  const verdict = story.observe(event);
  expect(preview).toMatchObject(verdict);
  // which actions are allowed follows from the rest
  const { actions: _, ...after } = story.view as unknown as Record<string, unknown>;
  const changed = Object.keys(after).filter(
    (key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]),
  );
  const fields = new Set(preview?.changes.map(({ field }) => field.split('.')[0]));
  expect([...fields].sort()).toEqual(changed.sort());
});

it('L13: six older replayed values replace no newer one', () => {
  const story = new Story();
  const missed = Array.from({ length: 6 }, (_, index) => ({
    ...story.event('update', {
      status: 20,
      ...whole,
      period: { ...whole.period, end: whole.period.end + index * minute },
    }),
    receivedAt: origin + index * minute,
  }));
  story.observe({
    ...story.event('update', { status: 20, ...whole, period: longest }),
    receivedAt: origin + hour,
  });
  const newest = story.view.period?.end;
  for (const event of missed) story.observe(again(event));
  expect(story.view.period?.end).toBe(newest);
});

it('L13: an older replayed long text does not cut the newer one', () => {
  const story = new Story();
  const memo = (letter: string) => ({ status: 20, ...whole, pickupMemo: letter.repeat(500) });
  const missed = { ...story.event('update', memo('a')), receivedAt: origin };
  story.observe({ ...story.event('update', memo('b')), receivedAt: origin + minute });
  story.observe(again(missed));
  expect(story.view.pickup.memo).toBe('b'.repeat(500));
});

it('L13: dated values that come in reverse leave the newest whole', () => {
  const story = new Story();
  for (let index = 8; index > 0; index--) {
    const pickupMemo = `${index}`.repeat(500);
    story.updated(20, { pickupMemo, changedAt: origin + index * minute });
  }
  expect(story.view.pickup.memo).toBe('8'.repeat(500));
});

it('L13: of two events received in one millisecond the one stored first stays the older one in a replay', () => {
  const story = new Story();
  const missed = story.event('update', { status: 20, ...whole, period: longer });
  story.updated(20);
  story.observe(again(missed));
  expect(story.view.period?.end).toContain('2026-11-22T13:00');
});
