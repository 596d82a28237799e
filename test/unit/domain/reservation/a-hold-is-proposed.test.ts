import { expect, it } from 'vitest';
import { resolveAttention } from '../../../../src/domain/reservation/index.js';
import { minute, Story, whole } from '../../../support/reservation-story.js';

const { end } = whole.period;
const supplier = { holdProposalMs: 12 * 60 * minute };

function late(changes: ConstructorParameters<typeof Story>[0] = supplier): Story {
  const story = new Story(changes);
  story.registered();
  story.updated(20);
  return story.at(end);
}
function cancelled(status: number): Story {
  const story = new Story(supplier);
  story.registered();
  story.updated(status);
  story.updated(40);
  return story;
}

it.each([10, 15])(
  'F55: a reservation cancelled after %i proposes a hold of the car to fetch, from the cancellation on',
  (status) => {
    expect(cancelled(status).view.proposals).toEqual([
      {
        proposalId: 'retrieve-car-8421',
        carId: 12,
        startAt: '2026-11-21T09:00:00.000+09:00',
        endAt: '2026-11-21T21:00:00.000+09:00',
        reason: 'retrieve-car',
      },
    ]);
  },
);

it('F55: a reservation cancelled before the car left proposes nothing; nor does one whose car is back', () => {
  const early = new Story();
  early.registered();
  early.updated(40);
  expect(early.view.proposals).toEqual([]);

  const story = cancelled(15);
  const back = { kind: 'retrieve-car', reason: 'it is back', by: 'manager' } as const;
  story.take(resolveAttention(story.state, back, story.now));
  expect(story.view.proposals).toEqual([]);
});

it('F56: an overdue return proposes one hold from the end of the period on, until the car is back', () => {
  const story = late();
  const proposed = [
    {
      proposalId: 'overdue-return-8421',
      carId: 12,
      startAt: '2026-11-22T13:00:00.000+09:00',
      endAt: '2026-11-23T01:00:00.000+09:00',
      reason: 'overdue-return',
    },
  ];
  expect(story.view.proposals).toEqual(proposed);
  expect(story.at(end + 60 * minute).view.proposals).toEqual(proposed);
  story.updated(30);
  expect(story.view.proposals).toEqual([]);
});

it('F56: an extension withdraws the proposal', () => {
  const story = late();
  story.updated(20, { period: { ...whole.period, end: end + 60 * minute } });
  expect(story.view.proposals).toEqual([]);
});

it('F55, F56: only a supplier can hold a car, and only one that is known', () => {
  expect(late({ roles: ['channel'] }).view.proposals).toEqual([]);
  const unknown = new Story();
  unknown.status(10);
  unknown.status(40);
  expect(unknown.view.attention.map(({ kind }) => kind)).toContain('retrieve-car');
  expect(unknown.view.proposals).toEqual([]);
});

it('F56: a run whose policy is older than holds proposes a hold of a day', () => {
  expect(late({}).view.proposals).toMatchObject([{ endAt: '2026-11-23T13:00:00.000+09:00' }]);
});
