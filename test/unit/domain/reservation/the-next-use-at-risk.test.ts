import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { day, hour, minute, origin, Story, whole } from '../../../support/reservation-story.js';

const { start, end } = whole.period;
const next = { scheduleId: 77, type: 'R', start: end + 3 * hour, end: end + 9 * hour } as const;
const candidates = [{ id: 14, number: '34나5678' }];
const found = { kind: 'seen', next, candidates } as const;
const nothing = { kind: 'seen', next: null, candidates: null } as const;
const failed = { kind: 'failed', code: 'UNAVAILABLE' } as const;

function inUse(changes: Partial<lifecycle.Policy> = {}): Story {
  const story = new Story(changes);
  story.registered({ productId: 3 });
  story.updated(20);
  return story;
}
/** The look that is due; fails where none is. */
function due(story: Story): lifecycle.LookAheadRequest {
  const { lookAhead } = story.outlook;
  if (lookAhead === null) throw new Error('no look is due');
  return lookAhead;
}
function look(story: Story, answer: lifecycle.LookAheadAnswer): Story {
  story.take(lifecycle.applyLookAhead(story.state, due(story), answer, story.now));
  return story;
}
const late = (changes?: Partial<lifecycle.Policy>) => inUse(changes).at(end);
const endangered = () => look(late(), found);

it('F60: the schedule is not read before the end; it is read at the end and at each step of the ladder', () => {
  const story = inUse().at(end - minute);
  expect(story.outlook.lookAhead).toBeNull();
  const asked = [0, 15 * minute, hour, 2 * hour].map((passed) => {
    story.at(end + passed);
    const request = due(story);
    look(story, nothing);
    expect(story.outlook.lookAhead).toBeNull();
    return request;
  });
  expect(asked[0]).toMatchObject({
    reservationId: 8421,
    at: end,
    carId: 12,
    carNumber: '12가3456',
    productId: 3,
    period: { start, end },
  });
  expect(new Set(asked.map((one) => one.asked)).size).toBe(4);
});

it('F60: a channel without a supplier key reads no schedule', () => {
  expect(late({ roles: ['channel'] }).outlook.lookAhead).toBeNull();
});

it('F61: the item names the entry, the time left, and the cars that could replace it; operations get ids only', () => {
  const story = endangered();
  expect(story.kinds).toEqual(['next-in-danger', 'return-late']);
  expect(story.view.attention[0]?.message).toBe(
    'The next reservation is at risk: the car is not back, and a reservation (R 77), 2026-11-22T16:00:00.000+09:00 to 2026-11-22T22:00:00.000+09:00 follows; 3 h 0 min were left at 2026-11-22T13:00:00.000+09:00. Free and on sale then: 14 (34나5678). Call the customer, or give the next reservation another car.',
  );
  expect(story.view.danger).toEqual({
    entry: {
      scheduleId: 77,
      type: 'R',
      reservationId: null,
      startAt: '2026-11-22T16:00:00.000+09:00',
      endAt: '2026-11-22T22:00:00.000+09:00',
    },
    candidates,
    checkedAt: '2026-11-22T13:00:00.000+09:00',
  });
  const raised = story.entries.findLast(({ attention }) => attention?.kind === 'next-in-danger');
  expect(raised).toMatchObject({ rule: 'F61', attention: { change: 'raised' } });
  expect(raised?.attention?.alert).toContain('candidate cars: 14');
  expect(story.entries.some(({ rule, text }) => rule === 'F60' && text.includes('R 77'))).toBe(true);
});

it('F61: an external entry that waits for the car is named as such, not as a reservation', () => {
  const story = look(late(), { ...found, next: { ...next, type: 'S' } });
  expect(story.view.attention[0]?.message).toBe(
    'The car is needed next: the car is not back, and an external entry (S 77), 2026-11-22T16:00:00.000+09:00 to 2026-11-22T22:00:00.000+09:00 follows; 3 h 0 min were left at 2026-11-22T13:00:00.000+09:00. Free and on sale then: 14 (34나5678). Call the customer, or move the entry to another time or car.',
  );
});

it('F61: the item states whether no car is free, or this is not known', () => {
  const message = (answer: lifecycle.LookAheadAnswer) => look(late(), answer).view.attention[0]?.message;
  expect(message({ ...found, candidates: [] })).toContain('No other car of the product is free');
  expect(message({ ...found, candidates: null })).toContain('Which other cars are free is not known');
});

it('F61: an entry that is days away waits until a day before its start', () => {
  const far = { ...next, start: end + 3 * day, end: end + 4 * day };
  const story = look(late(), { ...found, next: far });
  expect(story.kinds).toEqual(['return-late']);
  expect(story.view.danger).toBeNull();
  expect(lifecycle.listRow(story.state).atRisk).toBe(false);
  for (let at = story.nextDeadline; at !== null && at <= far.start - day; at = story.nextDeadline) {
    story.at(at);
    if (story.outlook.lookAhead !== null) look(story, { ...found, next: far });
  }
  expect(story.now).toBe(far.start - day);
  expect(story.kinds).toContain('next-in-danger');
  expect(lifecycle.listRow(story.state).atRisk).toBe(true);
});

it('F62: while a next use waits for the car the schedule is read hourly, and at the start of that use; else every six hours', () => {
  const looks = (answer: lifecycle.LookAheadAnswer, until: number) => {
    const story = look(late({ lateLadderMs: [] }), answer);
    const at: number[] = [];
    while (story.nextDeadline !== null && story.nextDeadline <= until) {
      story.at(story.nextDeadline);
      if (story.outlook.lookAhead !== null) {
        at.push((story.now - end) / minute);
        look(story, answer);
      }
    }
    return at;
  };
  const soon = { ...found, next: { ...next, start: end + 90 * minute } };
  expect(looks(soon, end + 3 * hour)).toEqual([60, 90, 150]);
  expect(looks(nothing, end + 12 * hour)).toEqual([360, 720]);
});

it('F62: the item is raised again when the next use begins, and when another one comes between', () => {
  const story = endangered();
  const raised = () => story.entries.filter(({ attention }) => attention?.kind === 'next-in-danger').length;
  story.at(next.start);
  expect(raised()).toBe(2);
  look(story, { ...found, next: { ...next, scheduleId: 76, start: next.start - hour, end: next.start } });
  expect(raised()).toBe(3);
});

it.each([
  ['the car comes back', (story: Story) => story.updated(30)],
  [
    'the period is extended without an overlap',
    (story: Story) => story.updated(25, { period: { start, end: end + hour } }),
  ],
  ['the car is another one', (story: Story) => story.updated(25, { car: { id: 13, number: null } })],
  [
    'a person resolves it',
    (story: Story) =>
      story.take(
        lifecycle.resolveAttention(
          story.state,
          { kind: 'next-in-danger', reason: 'moved', by: 'kim' },
          story.now,
        ),
      ),
  ],
])('F63: the item clears when %s', (_, happens) => {
  const story = endangered();
  story.at(end + 5 * minute);
  happens(story);
  expect(story.kinds).not.toContain('next-in-danger');
});

it('F63: the item clears when the entry is removed from the schedule', () => {
  const story = endangered().at(end + 15 * minute);
  look(story, nothing);
  expect(story.kinds).toEqual(['return-late']);
  expect(story.view.danger).toBeNull();
});

it('F63: after a car change during a late return the schedule is read at once, and the result for the old car no longer counts', () => {
  const story = endangered();
  const before = due;
  story.updated(25, { car: { id: 13, number: '99다9999' } });
  expect(before(story)).toMatchObject({ carId: 13, carNumber: '99다9999' });
});

it('F60: an end moved later while the customer has the car causes a read, and raises the item for an overlapped use', () => {
  const story = inUse().at(end - 2 * hour);
  story.updated(20, { period: { start, end: end + 6 * hour } });
  look(story, found);
  expect(story.kinds).toEqual(['next-in-danger']);
  expect(story.view.attention[0]?.message).toMatch(
    /^The next reservation is at risk: the period was extended, and a reservation/,
  );
  story.updated(20, { period: { start, end: end + hour } });
  expect(story.kinds).toEqual([]);
});

it('F60: an end moved later before the handover, or earlier after it, causes no read', () => {
  const early = new Story();
  early.registered();
  early.updated(10, { period: { start, end: end + hour } });
  expect(early.outlook.lookAhead).toBeNull();
  const shorter = inUse();
  shorter.updated(20, { period: { start, end: end - hour } });
  expect(shorter.outlook.lookAhead).toBeNull();
});

it('F64: a failed read is repeated after growing pauses with one entry, and the earlier result stays', () => {
  const story = endangered().at(end + 15 * minute);
  const rests = [1, 2, 3, 4, 5].map(() => {
    const from = story.now;
    look(story, failed);
    expect(story.kinds).toContain('next-in-danger');
    while (story.outlook.lookAhead === null) story.at(story.nextDeadline ?? Number.NaN);
    return (story.now - from) / minute;
  });
  expect(rests).toEqual([5, 10, 20, 40, 60]);
  expect(story.entries.filter(({ rule }) => rule === 'F64')).toHaveLength(1);
});

it('F64: a platform with a longer Retry-After gets no request before it', () => {
  const story = late({ lateLadderMs: [] });
  look(story, { ...failed, retryAfterMs: 3 * hour });
  expect(story.nextDeadline).toBe(end + 3 * hour);
  story.updated(25, { car: { id: 13, number: null } });
  expect(story.outlook.lookAhead).toBeNull();
  expect(story.at(end + 3 * hour).outlook.lookAhead).toMatchObject({ carId: 13 });
});

it('F56: the hold that an overdue return proposes ends where the next entry begins', () => {
  expect(late().view.proposals[0]?.endAt).toBe('2026-11-23T13:00:00.000+09:00');
  expect(endangered().view.proposals[0]).toMatchObject({
    endAt: '2026-11-22T16:00:00.000+09:00',
    noLaterThan: '2026-11-22T16:00:00.000+09:00',
  });
  expect(endangered().at(next.start).view.proposals[0]).not.toHaveProperty('noLaterThan');
});

it('F65: a reservation that was late before this feature existed is read by its next run', () => {
  const { state, now } = late();
  expect(Object.keys(state)).not.toContain('lookedAhead');
  const { lookAhead: due } = lifecycle.outlook(lifecycle.withPolicy(state, state.policy), now);
  expect(due).toMatchObject({ carId: 12 });
});

it('F60: an end that a person asserts later while the customer has the car causes a read too', () => {
  const story = inUse().at(end - 2 * hour);
  const asserted = { startAt: start, endAt: end + 6 * hour, reason: 'called', by: 'manager' };
  story.take(lifecycle.assertFacts(story.state, asserted, story.now));
  expect(due(story)).toMatchObject({ period: { start, end: end + 6 * hour } });
});

it('F61: the alert states whether the car is late or was extended, and which cars could replace it', () => {
  const alert = (answer: lifecycle.LookAheadAnswer, story = late()) =>
    look(story, answer).entries.findLast(({ attention }) => attention?.kind === 'next-in-danger')?.attention
      ?.alert;
  expect(alert(found)).toMatch(/car 12 is not back for a reservation \(R 77\).*candidate cars: 14\./);
  expect(alert({ ...found, candidates: null })).toContain('candidate cars: not known');
  expect(alert({ ...found, candidates: [] })).toContain('candidate cars: none');
  const extended = inUse().at(end - 2 * hour);
  extended.updated(20, { period: { start, end: end + 6 * hour } });
  expect(alert(found, extended)).toContain('car 12 was extended over');
});

it('F61: the time left is in hours and minutes, or the use had begun', () => {
  const message = (left: number) =>
    look(late(), { ...found, next: { ...next, start: end + left } }).view.attention[0]?.message;
  expect(message(3 * hour + 7 * minute)).toContain('; 3 h 7 min were left at');
  expect(message(hour)).toContain('; 1 h 0 min were left');
  expect(message(59 * minute)).toContain('; 59 min were left');
  expect(message(1)).toContain('; 0 min were left');
  expect(message(0)).toContain('; it had begun at');
});

it('F61: a text names whose reservation is next, and an external entry as such', () => {
  const message = (changes: Partial<lifecycle.CarEntry>) =>
    look(late(), { ...found, next: { ...next, ...changes } }).view.attention[0]?.message;
  expect(message({ reservationId: 9 })).toContain('reservation 9 (R 77)');
  expect(message({ type: 'S' })).toMatch(/^The car is needed next: .*an external entry \(S 77\)/);
});

it('F61: a use that begins when an extended rental ends is not at risk, one that begins earlier is', () => {
  const kinds = (overlap: number) => {
    const story = inUse().at(end - 2 * hour);
    story.updated(20, { period: { start, end: next.start + overlap } });
    return look(story, found).kinds;
  };
  expect(kinds(0)).toEqual([]);
  expect(kinds(1)).toEqual(['next-in-danger']);
});

it('F60, F62: an extended rental that reaches no other use is read again at its end, one that does within an hour', () => {
  const nextRead = (newEnd: number) => {
    const story = inUse().at(end - 2 * hour);
    story.updated(20, { period: { start, end: newEnd } });
    look(story, found);
    while (story.outlook.lookAhead === null) story.at(story.nextDeadline ?? Number.NaN);
    return story.now;
  };
  expect(nextRead(next.start - hour)).toBe(next.start - hour);
  expect(nextRead(next.start + hour)).toBe(end - hour);
});

it('F63: once the car is back no further reading is planned', () => {
  const story = endangered();
  story.updated(30);
  expect(story.nextDeadline).toBe(end + 12 * hour);
});

it('F60: a reading that shows the same next use adds no entry, also where it shows whose it is', () => {
  const read = (...answers: (lifecycle.CarEntry | null)[]) => {
    const story = late();
    answers.forEach((one, index) => {
      if (index > 0) story.at(end + ([15 * minute, hour, 2 * hour][index - 1] ?? 0));
      look(story, { ...found, next: one });
    });
    return story.entries.filter(({ rule }) => rule === 'F60').length;
  };
  const owned = { ...next, reservationId: 9 };
  expect(read(next, next)).toBe(1);
  expect(read(owned, owned, next, owned)).toBe(1);
  expect(read(next, null)).toBe(2);
  expect(read(null, null, next, { ...next, start: next.start + 1 })).toBe(3);
});

it('F60: a reading is requested under its cause: car, period and step of the ladder', () => {
  expect(due(late()).asked).toBe(`12/${start}/${end}/1`);
  expect(due(late().at(end + hour)).asked).toBe(`12/${start}/${end}/3`);
});

it('F60, F64: the entries of readings have the car, what was read, or why nothing was', () => {
  const entries = (...answers: lifecycle.LookAheadAnswer[]) => {
    const story = late();
    for (const one of answers) look(story, one);
    return story.entries
      .filter(({ rule }) => rule === 'F60' || rule === 'F64')
      .map(({ kind, rule, data }) => [kind, rule, data]);
  };
  expect(entries(found)).toEqual([['decision', 'F60', { carId: 12, scheduleId: 77, type: 'R' }]]);
  expect(entries(nothing)).toEqual([['decision', 'F60', { carId: 12 }]]);
  expect(entries(failed)).toEqual([['decision', 'F64', { carId: 12, code: 'UNAVAILABLE' }]]);
});

it('F64: a reading that succeeds after failures counts, and the next failure is the first again', () => {
  const story = late({ lateLadderMs: [] });
  look(story, failed);
  expect(story.state.lookedAhead).toMatchObject({ failures: 1, seen: null });
  look(story.at(end + 5 * minute), failed);
  look(story.at(end + 15 * minute), found);
  expect(story.state.lookedAhead).toMatchObject({
    failures: 0,
    seen: { at: end + 15 * minute, carId: 12, next, candidates },
  });
  look(story.at(end + 75 * minute), failed);
  expect(story.state.lookedAhead).toMatchObject({ failures: 1, again: end + 80 * minute, seen: { next } });
});

it('F60: an end moved later once the car is handed over causes a read too, the same end does not', () => {
  const handedOver = (newEnd: number) => {
    const story = new Story();
    story.registered();
    story.updated(15);
    story.updated(15, { period: { start: start - 1, end: newEnd } });
    return story.outlook.lookAhead?.period ?? null;
  };
  expect(handedOver(end + 1)).toEqual({ start: start - 1, end: end + 1 });
  expect(handedOver(end)).toBeNull();
});

it('F61: the policy sets how long before the next use a late car calls for attention', () => {
  const raisedAt = (startsIn: number) => {
    const own = { ...next, start: end + startsIn };
    const story = look(late({ dangerLeadMs: 2 * hour }), { ...found, next: own });
    return story.state.attention.find(({ kind }) => kind === 'next-in-danger')?.causes[`77@${own.start}`];
  };
  expect([hour, 2 * hour, 2 * hour + 1].map(raisedAt)).toEqual([end, end, undefined]);
});

it('F60: the next entry is the earliest that begins after the reservation’s own and is not over', () => {
  const at = (from: number, to: number): lifecycle.CarEntry => ({
    scheduleId: from,
    type: 'R',
    start: origin + from,
    end: origin + to,
  });
  const after = (...entries: lifecycle.CarEntry[]) =>
    lifecycle.nextEntry(entries, { start: origin + 10 }, origin + 20)?.scheduleId ?? null;
  expect(after()).toBeNull();
  expect(after(at(9, 30), at(10, 30))).toBeNull();
  expect(after(at(11, 20))).toBeNull();
  expect(after(at(11, 21))).toBe(11);
  expect(after(at(40, 50), at(30, 40), at(35, 36))).toBe(30);
});

it('F64: a platform with a shorter Retry-After is not read before our own pause is over', () => {
  const story = late({ lateLadderMs: [] });
  look(story, { ...failed, retryAfterMs: minute });
  expect(story.nextDeadline).toBe(end + 5 * minute);
});

it('F60: the result for another car adds an entry, also where nothing follows either of them', () => {
  const story = look(late(), nothing);
  story.updated(25, { car: { id: 13, number: null } });
  look(story, nothing);
  expect(story.entries.filter(({ rule }) => rule === 'F60').map(({ data }) => data)).toEqual([
    { carId: 12 },
    { carId: 13 },
  ]);
});

it('F62, F63: a result that comes after the car is back, and one of a use that begins as the rental ends, plan no reading', () => {
  const back = late();
  const request = due(back);
  back.updated(30);
  back.take(lifecycle.applyLookAhead(back.state, request, found, back.now));
  expect(back.state.lookedAhead).toMatchObject({ seen: { next }, again: null });
  const extended = inUse().at(end - 2 * hour);
  extended.updated(20, { period: { start, end: next.start } });
  expect(look(extended, found).state.lookedAhead?.again).toBeNull();
});

it.each([45, 40, 30])('F60: an extended rental that is at %i calls for no reading', (status) => {
  const story = inUse();
  const period = { start, end: end + hour };
  story.updated(20, { period });
  story.updated(status, { period });
  expect(story.outlook.lookAhead).toBeNull();
});
