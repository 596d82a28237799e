import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyBooking,
  type Booking,
  newReservation,
  observe,
  wake,
} from '../../../../src/domain/reservation/index.js';
import { compared } from '../../../support/compared.js';
import { delivered, legalHistory } from '../../../support/legal-histories.js';
import { inOrder, later, permutations } from '../../../support/orders.js';
import { hour, minute, origin, policy, Story, whole } from '../../../support/reservation-story.js';

const driver = {
  name: 'A Person',
  birth: '19900101',
  phone: '01012345678',
  licenseNumber: '11',
  address: 'B',
};
const booking: Booking = {
  commandId: 'b-1',
  by: 'channel-1',
  at: origin + minute,
  settledBy: 'answer',
  status: 'CONFIRMED',
  carNumber: '12가3456',
  productId: 7,
  period: { start: origin + hour, end: origin + 10 * hour },
  driver,
  companion: null,
  pickupAddress: 'Station exit 3',
  pickupMemo: 'ring twice',
};

type Item = { booking: Booking } | { event: Parameters<typeof observe>[1] };

function outcome(items: Item[]): string {
  const start = newReservation(1, policy, origin);
  const state = items.reduce(
    (known, item) =>
      'booking' in item
        ? applyBooking(known, item.booking, later).state
        : observe(known, item.event, later).state,
    start,
  );
  return JSON.stringify(compared(state, later));
}

describe('F36: a booking becomes part of the beliefs of its reservation', () => {
  it('whatever the platform sends, and whenever the booking comes, once or twice: the view is the same', {
    timeout: 30_000,
  }, () => {
    const deliveries = legalHistory
      .chain((history) => delivered(history))
      .chain((events) => fc.tuple(fc.constant(events), fc.nat(events.length), fc.nat(events.length)));
    fc.assert(
      fc.property(deliveries, ([events, at, again]) => {
        const items: Item[] = events.map((event) => ({ event }));
        const placed = items.toSpliced(at, 0, { booking }).toSpliced(again, 0, { booking });
        const first: Item[] = [{ booking }, ...inOrder(events).map((event) => ({ event }))];
        expect(outcome(placed)).toBe(outcome(first));
      }),
      { numRuns: 100 },
    );
  });

  it('registration, booking, update and status end in the same view in every order', () => {
    const event = (id: number, parts: Partial<Parameters<typeof observe>[1]>): Item => ({
      event: {
        eventId: `e${id}`,
        inboxId: id,
        channel: 'update',
        receivedAt: origin + id * minute,
        contentHash: `e${id}`,
        ...whole,
        ...parts,
      },
    });
    const items: Item[] = [
      event(1, { channel: 'registration', status: 5, driver: { ...driver, name: 'As registered' } }),
      { booking },
      event(2, { status: 5, driver: { ...driver, name: 'As updated' } }),
      event(3, { status: 10, car: { id: 13, number: '34나5678' } }),
    ];
    const [first, ...others] = permutations(items).map(outcome);
    expect(new Set(others)).toEqual(new Set([first]));
    expect(first).toContain('As updated');
  });

  it('a registration takes precedence where both have a value, and keeps values that only the booking has', () => {
    for (const order of ['before', 'after'] as const) {
      const story = new Story();
      const register = () => story.registered({ driver: { ...driver, name: 'Other' } });
      if (order === 'before') register();
      story.book(booking);
      if (order === 'after') register();
      const { view } = story;
      expect(view.driver?.name).toBe('Other');
      expect(view.period?.grade).toBe('observed');
      expect(view.pickup).toEqual({ address: 'Station exit 3', memo: 'ring twice' });
      expect(view.evidence['pickup.memo']).toMatchObject({
        grade: 'commanded',
        source: { kind: 'command', id: 'b-1' },
      });
      expect(view.status).toMatchObject({ code: 5, grade: 'observed' });
    }
  });
});

describe('F36: while only the booking is known', () => {
  it('status 5 is commanded, the period counts, and the reservation is not registered', () => {
    const story = new Story();
    story.book(booking);
    expect(story.view).toMatchObject({
      status: { code: 5, grade: 'commanded', source: { kind: 'command', id: 'b-1' } },
      registered: false,
      marks: [],
      car: null,
      period: { grade: 'commanded', changes: 0 },
      productId: 7,
    });
    expect(story.entries[0]).toMatchObject({ kind: 'command', rule: 'F36' });
    expect(JSON.stringify(story.entries)).not.toContain('A Person');
  });

  it('a booking that a person resolved is asserted by that person', () => {
    const story = new Story();
    story.book({ ...booking, by: 'lee', settledBy: 'person', status: null, carNumber: null });
    expect(story.view.status).toMatchObject({ grade: 'asserted', source: { kind: 'person', id: 'lee' } });
  });

  it('L05: a registration that does not come raises attention, and clears it when it comes', () => {
    const story = new Story();
    story.book(booking);
    const due = wake(story.state, origin + 10 * minute);
    expect(due.entries.find(({ attention }) => attention?.kind === 'incomplete')?.text).toMatch(
      /car\. The platform accepted our booking, but no registration came; find/,
    );
    story.now = origin + 10 * minute;
    story.registered();
    expect(story.kinds).not.toContain('incomplete');
    expect(story.view.registered).toBe(true);
  });
});

it('F37: the status string of the answer is stored unchanged, and changes no status', () => {
  const story = new Story();
  story.book({ ...booking, status: '20' });
  expect(story.view.booking).toEqual({
    commandId: 'b-1',
    at: '2026-11-21T09:01:00.000+09:00',
    settledBy: 'answer',
    status: '20',
    carNumber: '12가3456',
  });
  expect(story.view.status.code).toBe(5);
  story.book({ ...booking, commandId: 'b-2', status: 'x'.repeat(10_000) });
  expect(story.view.booking?.commandId).toBe('b-1');
});

it('F37: a very long status string does not grow the state', () => {
  const story = new Story();
  story.book({ ...booking, status: 'x'.repeat(10_000), carNumber: 'y'.repeat(10_000) });
  expect(JSON.stringify(story.view.booking).length).toBeLessThan(400);
});

it('F36: the entry of a booking has what the platform answered, as it is stored', () => {
  const story = new Story();
  story.book({ ...booking, status: 'x'.repeat(101), carNumber: 'y'.repeat(41) });
  expect(story.state.booking).toMatchObject({
    status: `${'x'.repeat(99)}…`,
    carNumber: `${'y'.repeat(39)}…`,
  });
  expect(story.entries[0]?.data).toMatchObject({
    commandId: 'b-1',
    settledBy: 'answer',
    answered: `${'x'.repeat(99)}…`,
    carNumber: `${'y'.repeat(39)}…`,
  });
  const exact = new Story();
  exact.book({ ...booking, status: 'x'.repeat(100), carNumber: 'y'.repeat(40) });
  expect(exact.state.booking).toMatchObject({ status: 'x'.repeat(100), carNumber: 'y'.repeat(40) });
});

it('F36: what was requested counts below every report, as of the booking, and what was not requested is unknown', () => {
  const story = new Story();
  const { pickupMemo: _, ...requested } = booking;
  story.book({ ...requested, status: null, carNumber: null });
  const { facts, statuses, booking: stored } = story.state;
  expect(stored).toEqual({
    commandId: 'b-1',
    at: booking.at,
    settledBy: 'answer',
    status: null,
    carNumber: null,
  });
  expect(facts.pickupMemo).toBeNull();
  expect(facts.pickupAddress).toMatchObject({
    rung: -1,
    claims: [{ value: 'Station exit 3', grade: 'commanded', source: 'b-1', at: booking.at, arrival: 0 }],
  });
  expect(facts.companion?.claims).toMatchObject([{ value: null, changedAt: null }]);
  expect(statuses).toMatchObject([
    { code: 5, observed: null, commanded: { source: 'b-1', at: booking.at, changedAt: null } },
  ]);
});

it('F36, L40: a booking whose start is near raises attention at once, and its entry states what it changed', () => {
  const story = new Story();
  story.book(booking);
  expect(story.kinds).toEqual(['dispatch-not-started']);
  expect(story.entries[0]).toMatchObject({
    kind: 'command',
    rule: 'F36',
    data: { commandId: 'b-1', settledBy: 'answer', answered: 'CONFIRMED', carNumber: '12가3456', to: 5 },
  });
  const entries = story.entries.length;
  story.book(booking);
  expect(story.entries).toHaveLength(entries);
});

it('F36, L42: a booking that comes after its own end leaves the entry about the end before its own', () => {
  const story = new Story();
  story.status(15, { period: booking.period });
  story.now = booking.period.end;
  story.book(booking);
  expect(story.entries.slice(1, 3).map(({ kind, rule }) => [kind, rule])).toEqual([
    ['timer', 'L42'],
    ['command', 'F36'],
  ]);
});
