import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dispatchNext, inSequence, type ListRow, listRow } from '../../../../src/domain/reservation/index.js';
import type { ReservationState } from '../../../../src/domain/reservation/state.js';
import { deeds } from '../../../support/random-stories.js';
import {
  hour,
  origin,
  registered,
  Story,
  storyAt,
  unknown,
  whole,
} from '../../../support/reservation-story.js';

function contentOf(state: ReservationState): Omit<ListRow, 'sequence'> {
  const { sequence: _, ...content } = listRow(state);
  return content;
}

it('a row of lists changes in no step without a verdict or an entry, so none is written without them', {
  timeout: 60_000,
}, () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const story = new Story();
      let verdicts = 0;
      const observe = story.observe.bind(story);
      story.observe = (event) => {
        verdicts += 1;
        return observe(event);
      };
      for (const deed of list) {
        const before = { state: story.state, policy: story.state.policy, verdicts };
        const entries = story.entries.length;
        deed(story);
        // a policy takes effect with the next step
        if (story.state.policy !== before.policy) story.at(story.now);
        else if (story.entries.length === entries && verdicts === before.verdicts)
          expect(contentOf(story.state)).toEqual(contentOf(before.state));
        const sent = dispatchNext(story.state, story.now);
        if (sent.entries.length === 0) expect(contentOf(sent.state)).toEqual(contentOf(story.state));
      }
    }),
    { numRuns: 300 },
  );
});

it('a row names what is believed, the step that is next, and what calls for a person', () => {
  const story = registered({
    productId: 4,
    driver: { name: 'Park', birth: null, phone: null, licenseNumber: null, address: null },
  });
  story.sendAction('dispatch.staff');
  story.at(whole.period.start - hour);
  expect(listRow(story.state)).toEqual({
    sequence: 0,
    status: 5,
    grade: 'observed',
    since: origin,
    carId: 12,
    companyId: 3,
    productId: 4,
    period: whole.period,
    attention: [{ kind: 'dispatch-not-started', since: whole.period.start - hour }],
    next: 'dispatch.start',
    unknownCommands: 0,
    waitingCommands: 0,
    atRisk: false,
    private: {
      carNumber: '12가3456',
      dispatchStaff: 'Kim',
      recallStaff: null,
      drivers: ['Park'],
      contacts: [],
    },
  });
});

it('a command counts as waiting until it may have reached the platform, then as unknown until it has an outcome', () => {
  const counts = ({ state }: Story) => {
    const { waitingCommands, unknownCommands } = listRow(state);
    return [waitingCommands, unknownCommands];
  };
  const story = storyAt(10);
  const id = story.accept('dispatch.carImage', { override: { reason: 'no staff' } });
  expect(counts(story)).toEqual([1, 0]);
  story.send();
  story.answer(id, { outcome: 'held-back', code: 'RATE_LIMITED' });
  expect(counts(story)).toEqual([1, 0]);
  story.at(story.nextDeadline ?? 0).send();
  story.answer(id, unknown);
  expect(counts(story)).toEqual([0, 1]);
});

it('a sequence grows with every change: by the clock, by one where the clock does not, and not without a change', () => {
  const { state } = registered();
  const first = inSequence(state, { ...state }, origin);
  expect(first.sequence).toBe(origin);
  expect(inSequence(first, { ...first }, origin).sequence).toBe(origin + 1);
  expect(inSequence(first, { ...first }, origin - hour).sequence).toBe(origin + 1);
  expect(inSequence(first, { ...first }, origin + hour).sequence).toBe(origin + hour);
  expect(inSequence(first, first, origin + hour)).toBe(first);
});
