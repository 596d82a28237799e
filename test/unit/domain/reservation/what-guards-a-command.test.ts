import { expect, it } from 'vitest';
import { belief } from '../../../../src/domain/reservation/belief.js';
import { bytesOf } from '../../../../src/domain/reservation/bounds.js';
import { isOutdated, missingSteps } from '../../../../src/domain/reservation/guards.js';
import { type Answer, commandMarks, decide } from '../../../../src/domain/reservation/index.js';
import type { CommandRecord, StepDone } from '../../../../src/domain/reservation/state.js';
import { origin, override, photo, registered, Story } from '../../../support/reservation-story.js';

/** An open command of the story's reservation. */
function openCommand(story: Story): CommandRecord {
  story.accept('dispatch.staff', { commandId: 'c-1' });
  const [command] = story.state.commands;
  if (command === undefined) throw new Error('no command');
  return command;
}

it('L26: open commands may hold less than 8,000 bytes of bodies and reasons, and 63 may be open before another', () => {
  const story = registered();
  const open = openCommand(story);
  const refusal = (...commands: CommandRecord[]) =>
    decide({ ...story.state, commands }, story.command('dispatch.staff'))?.code ?? null;
  const room = 7_999 - bytesOf([{ note: '' }, null]);
  const large = (letters: number) => ({ ...open, body: { note: 'x'.repeat(letters) } });
  expect(refusal(large(room))).toBeNull();
  expect(refusal(large(room + 1))).toBe('TOO_MANY_OPEN_COMMANDS');
  expect(refusal({ ...large(room), override })).toBe('TOO_MANY_OPEN_COMMANDS');
  expect(refusal(large(room), large(0))).toBe('TOO_MANY_OPEN_COMMANDS');
  expect(refusal({ ...large(room + 1), state: 'applied' })).toBeNull();
  const small = { ...open, body: null };
  expect(refusal(...Array(63).fill(small))).toBeNull();
  expect(refusal(...Array(64).fill(small))).toBe('TOO_MANY_OPEN_COMMANDS');
  expect(refusal(...Array(63).fill(small), { ...small, state: 'rejected' })).toBeNull();
});

it('L21: the key of a command in a case file stands for its action and body', () => {
  const story = registered();
  const { content } = openCommand(story);
  expect(commandMarks(story.state)).toEqual([{ key: 'command.c-1', mark: content }]);
});

it.each<[string, 'is outdated' | 'counts', Partial<StepDone>, number | null]>([
  ['a photo of another car', 'is outdated', {}, 13],
  ['a photo of this car', 'counts', {}, 12],
  ['a photo of an unknown car', 'counts', { carId: null }, 13],
  ['a photo, where the car is not known any more,', 'counts', {}, null],
  ['an assignment of staff for another car', 'counts', { photo: null }, 13],
])('L14: %s %s', (_, expected, changes, carId) => {
  const step: StepDone = {
    action: 'dispatch.carImage',
    grade: 'commanded',
    source: 'c-1',
    at: origin,
    staff: null,
    photo,
    carId: 12,
  };
  expect(isOutdated({ ...step, ...changes }, carId)).toBe(expected === 'is outdated');
});

it('L27: the steps of its phase that were neither done nor left out come before an action', () => {
  const missing = (play: (story: Story) => unknown, action: Parameters<typeof missingSteps>[2]) => {
    const story = registered();
    play(story);
    return missingSteps(story.state, belief(story.state), action);
  };
  const dispatch = ['dispatch.staff', 'dispatch.start', 'dispatch.parkingImage', 'dispatch.carImage'];
  expect(missing(() => undefined, 'dispatch.staff')).toEqual([]);
  expect(missing(() => undefined, 'dispatch.complete')).toEqual(dispatch);
  expect(missing((s) => s.status(10), 'dispatch.complete')).toEqual(
    dispatch.filter((step) => step !== 'dispatch.start'),
  );
  expect(missing((s) => s.prepareDispatch(), 'dispatch.complete')).toEqual([]);
  expect(missing((s) => s.prepareDispatch().carChanged(12, 13), 'dispatch.complete')).toEqual([
    'dispatch.parkingImage',
    'dispatch.carImage',
  ]);
  expect(missing((s) => s.updated(30), 'recall.complete')).toEqual(['recall.staff', 'recall.carImage']);
  const start = (answer: Answer) => (s: Story) => s.sendAction('dispatch.start', answer, { override });
  const images = ['dispatch.parkingImage', 'dispatch.carImage'];
  expect(missing(start({ outcome: 'applied' }), 'dispatch.complete')).toEqual(images);
  const rejected = start({ outcome: 'rejected', code: 'NOT_FOUND', message: 'no' });
  expect(missing(rejected, 'dispatch.complete')).toEqual(dispatch);
  const unknown = start({ outcome: 'unknown', code: 'TIMEOUT' });
  expect(missing(unknown, 'dispatch.complete')).toEqual(dispatch);
});

it('L20: where no status is known an action is behind, and an override sends it', () => {
  const story = new Story();
  expect(story.refusal('dispatch.start')).toMatchObject({ code: 'STATUS_BEHIND', overridable: true });
  expect(story.refusal('dispatch.start', { override })).toBeNull();
});

it('L27: a step out of order is refused, and an override sends it', () => {
  expect(registered().refusal('dispatch.start')).toMatchObject({ code: 'OUT_OF_ORDER', overridable: true });
  expect(registered().refusal('dispatch.start', { override })).toBeNull();
});
