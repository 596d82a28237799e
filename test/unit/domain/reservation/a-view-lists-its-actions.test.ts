import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextAction } from '../../../../src/domain/reservation/action-options.js';
import { actions, decide } from '../../../../src/domain/reservation/index.js';
import { deeds } from '../../../support/random-stories.js';
import { override, registered, Story, storyAt, unknown } from '../../../support/reservation-story.js';

const optionsOf = ({ view }: Story) =>
  Object.fromEntries(view.actions.map(({ action, state, code }) => [action, code ?? state]));

it('L20, L27: each option agrees with what decides, in every state of random stories', {
  timeout: 60_000,
}, () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const story = new Story();
      for (const deed of list) {
        deed(story);
        const options = story.view.actions;
        expect(options.map(({ action }) => action)).toEqual(actions);
        for (const { action, state, code, message } of options) {
          const refusal = story.refusal(action);
          expect({ code, message }).toEqual({
            code: refusal?.code ?? null,
            message: refusal?.message ?? null,
          });
          const overridden = decide(story.state, story.command(action, { override }));
          if (state === 'needs-override') expect(overridden).toBeNull();
          if (state === 'refused') expect(overridden).not.toBeNull();
          expect(state === 'next' || state === 'allowed').toBe(refusal === null);
        }
        expect(options.filter(({ state }) => state === 'next').length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 60 },
  );
});

it('L27: the next step is each recommended step in turn, until the recall is complete', () => {
  const story = registered();
  const taken: (string | null)[] = [];
  for (let next = nextAction(story.state); next !== null; next = nextAction(story.state)) {
    taken.push(next);
    story.sendAction(next);
    if (next === 'dispatch.complete') story.status(15);
    if (next === 'recall.staff') story.updated(30);
  }
  expect(taken).toEqual(actions);
  expect(optionsOf(story)).toEqual(Object.fromEntries(actions.map((one) => [one, 'RESERVATION_TERMINAL'])));
});

it('L24, L26: no step is next while the one before it is open, also where its outcome is unknown', () => {
  const story = registered();
  const commandId = story.accept('dispatch.staff');
  expect(nextAction(story.state)).toBeNull();
  story.send();
  story.answer(commandId, unknown);
  expect(optionsOf(story)).toMatchObject({ 'dispatch.staff': 'allowed', 'dispatch.start': 'OUT_OF_ORDER' });
});

it('L27: a step that an override left out is not next', () => {
  const story = registered();
  story.sendAction('dispatch.start', { outcome: 'applied' }, { override });
  expect(optionsOf(story)).toMatchObject({ 'dispatch.staff': 'allowed', 'dispatch.parkingImage': 'next' });
});

it('L20: at 5 what is too early needs an override; at 20 what is past is refused', () => {
  const refused = 'ACTION_NOT_ALLOWED';
  expect(optionsOf(storyAt(5))).toMatchObject({
    'dispatch.staff': 'next',
    'recall.complete': 'STATUS_BEHIND',
  });
  expect(storyAt(5).view.actions.at(-1)).toMatchObject({ state: 'needs-override' });
  expect(optionsOf(storyAt(20))).toMatchObject({ 'dispatch.complete': refused, 'recall.staff': 'next' });
});

it('L20: without the supplier’s key every action is refused', () => {
  const story = registered({}, { roles: ['channel'] });
  expect(new Set(Object.values(optionsOf(story)))).toEqual(new Set(['ROLE_OFF']));
});

it('a step that is done has why that is believed; a photo of a replaced car is outdated (L14)', () => {
  const story = registered();
  const done = () =>
    Object.fromEntries(
      story.view.actions.flatMap(({ action, done: why }) =>
        why === null ? [] : [[action, why.outdated ? 'outdated' : why.grade]],
      ),
    );
  expect(done()).toEqual({});
  const steps = ['dispatch.staff', 'dispatch.start', 'dispatch.parkingImage', 'dispatch.carImage'] as const;
  for (const step of steps) story.sendAction(step);
  const commanded = Object.fromEntries(steps.map((step) => [step, 'commanded']));
  expect(done()).toEqual(commanded);
  story.carChanged(12, 13);
  expect(done()).toEqual({
    ...commanded,
    'dispatch.parkingImage': 'outdated',
    'dispatch.carImage': 'outdated',
  });
});

it('L04: a step that only a later status implies is done, as inferred', () => {
  const story = registered();
  story.status(15);
  const of = (action: string) => story.view.actions.find((one) => one.action === action)?.done;
  expect(of('dispatch.start')).toMatchObject({ grade: 'inferred', source: { kind: 'inference', id: '15' } });
  expect(of('dispatch.complete')).toMatchObject({ grade: 'observed' });
  expect(of('dispatch.staff')).toBeNull();
});
