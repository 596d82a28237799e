import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { deeds } from '../../../support/random-stories.js';
import { deepFreeze, policy, Story } from '../../../support/reservation-story.js';

const decision = { reason: 'a person said so', by: 'manager' };
const answer = { outcome: 'unknown', code: 'TIMEOUT' } as const;

/** Every function that the lifecycle exports, asked about a frozen state with frozen arguments. */
const asked: Record<string, (story: Story) => unknown> = {
  newReservation: ({ now }) => lifecycle.newReservation(8421, deepFreeze({ ...policy }), now),
  withPolicy: ({ state }) => lifecycle.withPolicy(state, deepFreeze({ ...policy })),
  observe: (story) =>
    lifecycle.observe(story.state, deepFreeze(story.event('update', { status: 10 })), story.now),
  previewEvents: (story) =>
    lifecycle.previewEvents(
      story.state,
      deepFreeze([story.event('car', { car: { id: 9, number: null } })]),
      story.now,
    ),
  afterClosing: (story) =>
    lifecycle.afterClosing(
      deepFreeze(story.event('status', { status: 20 })),
      deepFreeze({ reservationId: 8421, status: 45 }),
      deepFreeze(policy.fromStates),
      story.now,
    ),
  applyBooking: ({ state, now }) =>
    lifecycle.applyBooking(
      state,
      deepFreeze({
        commandId: 'b-1',
        by: 'dana',
        at: now,
        settledBy: 'answer',
        status: 'CONFIRMED',
        carNumber: '12가3456',
        productId: 7,
        period: { start: now, end: now + 1 },
        driver: { name: 'A', birth: 'B', phone: 'C', licenseNumber: 'D', address: 'E' },
        companion: null,
        pickupAddress: 'F',
      }),
      now,
    ),
  decide: (story) => lifecycle.decide(story.state, deepFreeze(story.command('dispatch.staff'))),
  accept: (story) => lifecycle.accept(story.state, deepFreeze(story.command('dispatch.staff')), story.now),
  dispatchNext: ({ state, now }) => lifecycle.dispatchNext(state, now),
  applyAnswer: ({ state, now }) =>
    lifecycle.applyAnswer(
      state,
      state.commands.find((one) => one.state === 'out')?.commandId ?? '',
      deepFreeze({ ...answer }),
      now,
    ),
  restoreRole: ({ state, now }) => lifecycle.restoreRole(state, now),
  checkResolve: ({ state }) => lifecycle.checkResolve(state, deepFreeze({ commandId: 'none' })),
  resolveCommand: ({ state, now }) =>
    lifecycle.resolveCommand(
      state,
      deepFreeze({ commandId: state.commands.at(-1)?.commandId ?? '', outcome: 'applied', ...decision }),
      now,
    ),
  checkResolveAttention: ({ state }) => lifecycle.checkResolveAttention(state, 'return-late'),
  resolveAttention: ({ state, now }) =>
    lifecycle.resolveAttention(
      state,
      deepFreeze({ kind: state.attention[0]?.kind ?? 'ambiguous', ...decision }),
      now,
    ),
  checkAssert: ({ state }) => lifecycle.checkAssert(state, deepFreeze({ carId: 9, ...decision })),
  assertFacts: ({ state, now }) =>
    lifecycle.assertFacts(state, deepFreeze({ carId: 9, status: 10, ...decision }), now),
  corroborate: ({ state, now }) =>
    lifecycle.corroborate(
      state,
      deepFreeze({
        at: now,
        entry: { scheduleId: 7, carId: 9, start: now, end: now + 1 },
        candidates: [],
        confirmed: true,
      }),
      now,
    ),
  applyLookAhead: ({ state, now }) =>
    lifecycle.applyLookAhead(
      state,
      deepFreeze({ asked: 'x', carId: 12 }),
      deepFreeze({
        kind: 'seen',
        next: { scheduleId: 7, type: 'R', start: now, end: now + 1 },
        candidates: [{ id: 9, number: null }],
      }),
      now,
    ),
  nextEntry: ({ now }) =>
    lifecycle.nextEntry(
      deepFreeze([
        { scheduleId: 8, type: 'S', start: now + 2, end: now + 3 },
        { scheduleId: 7, type: 'R', start: now, end: now + 1 },
      ]),
      deepFreeze({ start: now - 1 }),
      now,
    ),
  applyNoteAnswer: ({ state, now }) =>
    lifecycle.applyNoteAnswer(
      state,
      state.notes?.[0]?.commandId ?? '',
      deepFreeze({ outcome: 'held-back', code: 'RATE_LIMITED' }),
      now,
    ),
  belief: ({ state }) => lifecycle.belief(state),
  wake: ({ state, now }) => lifecycle.wake(state, now),
  outlook: ({ state, now }) => lifecycle.outlook(state, now),
  pathOf: () => lifecycle.actions.map(lifecycle.pathOf),
  view: ({ state, now }) => lifecycle.view(state, now),
  currentStaff: ({ state }) => lifecycle.currentStaff(lifecycle.listRow(state)),
  listFacts: ({ state }) => lifecycle.listFacts(state),
  listRow: ({ state }) => lifecycle.listRow(state),
  inSequence: ({ state, now }) => lifecycle.inSequence(state, deepFreeze({ ...state }), now),
  knownCommand: ({ state }) => lifecycle.knownCommand(state, state.commands[0]?.commandId ?? ''),
  commandView: ({ state }) => state.commands.map(({ commandId }) => lifecycle.commandView(state, commandId)),
  isAnswered: ({ state }) => state.commands.map((one) => lifecycle.isAnswered(one.state)),
  commandMarks: ({ state }) => lifecycle.commandMarks(state),
  commandKey: () => lifecycle.commandKey('c-1'),
  commandIdReused: () => lifecycle.commandIdReused(),
  toEntry: (story) =>
    story.entries.map(({ messages = [], ...entry }) =>
      lifecycle.toEntry({ ...entry, messages }, 1, story.now, 540),
    ),
  webAddress: () => [lifecycle.webAddress('https://photos.example/1.jpg')].filter(Boolean),
};

it('the list below names every exported function', () => {
  const exported = Object.entries(lifecycle).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  );
  expect(Object.keys(asked).sort()).toEqual(exported.sort());
});

it('no function changes its input, and every input and output survives JSON', {
  timeout: 60_000,
}, () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const story = new Story();
      for (const deed of list) {
        // a story freezes every state, event and command that it hands in: a change would throw
        deed(story);
        expect(JSON.parse(JSON.stringify(story.state))).toEqual(story.state);
        const before = JSON.stringify(story.state);
        for (const ask of Object.values(asked)) {
          const answered = ask(story);
          expect(JSON.parse(JSON.stringify([answered]))).toEqual([answered]);
        }
        expect(JSON.stringify(story.state)).toBe(before);
      }
      expect(JSON.parse(JSON.stringify(story.entries))).toEqual(story.entries);
    }),
    { numRuns: 40 },
  );
});
