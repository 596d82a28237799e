import { expect, it } from 'vitest';
import { minute, Story, whole } from '../../../support/reservation-story.js';

// 25 and 45 share one trigger, the end of the period: what is expected depends on whether the car was used, and the
// callback 20 that says so may be late or lost. A status that was not reported is never set.

const { end } = whole.period;

function handedOver(): Story {
  const story = new Story();
  story.registered();
  story.updated(10);
  story.updated(15);
  return story;
}

it('L43: callback 20 delivered: 25 is expected at the end, the return is late, and no 45 is waited for', () => {
  const story = handedOver();
  story.at(end - 10 * minute);
  story.updated(20);
  story.at(end);
  expect(story.view).toMatchObject({
    status: { code: 20 },
    expected: { code: 25, by: '2026-11-22T13:03:00.000+09:00' },
    display: 'in-use',
  });
  expect(story.entries.find(({ rule, data }) => rule === 'L43' && data.expected === 25)?.at).toBe(end);
  story.at(end + 5 * minute);
  expect(story.kinds).toEqual(['return-late']);
  story.updated(25);
  expect(story.view).toMatchObject({ status: { code: 25 }, expected: { code: 30, by: null } });
  story.updated(30);
  expect(story.kinds).toEqual([]);
});

it('L42, L43: callback 20 delayed past the end: 45 is expected until it comes, then 25', () => {
  const story = handedOver().at(end);
  expect(story.view).toMatchObject({ status: { code: 15 }, expected: { code: 45 } });
  expect(story.entries.at(-1)).toMatchObject({ rule: 'L42', kind: 'timer', data: { expected: 45 } });
  story.at(end + 5 * minute);
  expect(story.kinds).toEqual(['callback-overdue']);
  story.updated(20, { driving: { start: end - 60 * minute } });
  expect(story.view).toMatchObject({ status: { code: 20 }, expected: { code: 25 } });
  expect(story.view.attention).toMatchObject([
    { kind: 'return-late', since: '2026-11-22T13:00:00.000+09:00' },
  ]);
  expect(story.entries.some(({ text }) => text.includes('Expected next: 25'))).toBe(true);
});

it('L42: callback 20 lost: 45 is expected and never set; attention is raised; a later 25 shows the use', () => {
  const story = handedOver().at(end + 3 * minute);
  expect(story.kinds).toEqual(['callback-overdue']);
  story.at(end + 600 * minute);
  expect(story.view).toMatchObject({ status: { code: 15, grade: 'observed' }, expected: { code: 45 } });
  story.updated(25);
  expect(story.view).toMatchObject({ status: { code: 25 }, expected: { code: 30 } });
  expect(story.entries.some(({ text }) => text.includes('Inferred: 20'))).toBe(true);
  expect(story.kinds).toEqual(['return-late']);
});

it('L42: no use at all: the expected 45 comes, and clears the attention', () => {
  const story = handedOver().at(end + 3 * minute);
  story.updated(45);
  expect(story.view).toMatchObject({
    status: { code: 45, grade: 'observed' },
    expected: null,
    attention: [],
  });
});

it('L16: callback 20 lost, but a driving start was reported: 25 is expected, not 45', () => {
  const story = handedOver();
  story.updated(15, { driving: { start: end - 60 * minute } });
  story.at(end + 5 * minute);
  expect(story.view).toMatchObject({ status: { code: 15 }, expected: { code: 25 } });
  expect(story.kinds).toEqual(['return-late']);
});

it('L43, L44: a 25 reported before the end by our clock raises the item at once, and the ladder counts from the end', () => {
  const story = handedOver().at(end - 10 * minute);
  story.updated(20);
  story.status(25, { changedAt: end });
  const raisedAt = () =>
    story.entries.filter(({ attention }) => attention?.kind === 'return-late').map(({ at }) => at);
  expect(raisedAt()).toEqual([end - 10 * minute]);
  for (const late of [0, 15, 60, 120, 600]) story.at(end + late * minute);
  expect(raisedAt()).toEqual([end - 10 * minute, ...[15, 60, 120].map((late) => end + late * minute)]);
});
