import { describe, expect, it } from 'vitest';
import {
  hour,
  origin,
  override,
  photo,
  type Story,
  storyAt,
  whole,
} from '../../../support/reservation-story.js';

const other = { id: 13, number: '34나5678' };
const photoActions = ['dispatch.parkingImage', 'dispatch.carImage', 'recall.carImage'] as const;

function photosOf({ view }: Story) {
  return [view.dispatch.parkingImage, view.dispatch.carImage, view.recall.carImage].filter(
    (one) => one !== null,
  );
}

describe.each([5, 10, 15, 20, 25, 30])('L14: a car change at %i', (status) => {
  it.each(['event', 'update'] as const)(
    'reported by %s: photos no longer count, staff and status stay, both cars are named',
    (by) => {
      const story = storyAt(status);
      for (const action of [...photoActions, 'dispatch.staff', 'recall.staff'] as const) {
        if (story.refusal(action, { override }) === null)
          story.sendAction(action, { outcome: 'applied' }, { override });
      }
      const before = story.view;
      const entriesBefore = story.entries.length;
      if (by === 'update') story.updated(before.status.code ?? 0, { car: other });
      else story.observe(story.event('car', { previousCarId: 12, car: other }));
      const after = story.view;
      expect(after.car).toMatchObject({ ...other, changes: 1 });
      expect(photosOf(story).every((one) => one.outdated)).toBe(true);
      expect(after.dispatch.staff).toEqual(before.dispatch.staff);
      expect(after.recall.staff).toEqual(before.recall.staff);
      expect(after.status.code).toBe(before.status.code);
      const line = story.entries.slice(entriesBefore).find(({ data }) => data.toCar === 13);
      expect(line?.text).toContain('from 12 (12가3456) to 13 (34나5678)');
      expect(line?.data).toMatchObject({ fromCar: 12, toCar: 13 });
    },
  );
});

describe.each(photoActions)('L14: the car changes while %s is under way', (action) => {
  const status = action === 'recall.carImage' ? 30 : 10;

  it.each(['before it is sent', 'while its request is out', 'while its outcome is unknown'])(
    '%s: the photo shows the old car',
    (when) => {
      const story = storyAt(status);
      const id = story.accept(action, { override });
      const change = () => story.observe(story.event('car', { previousCarId: 12, car: other }));
      if (when === 'before it is sent') change();
      story.send();
      if (when === 'while its request is out') change();
      if (when === 'while its outcome is unknown') {
        story.answer(id, { outcome: 'unknown', code: 'TIMEOUT' });
        change();
      } else {
        story.answer(id, { outcome: 'applied' });
        expect(photosOf(story)).toMatchObject([{ hash: photo.hash, outdated: true }]);
      }
      story.sendAction(action, { outcome: 'applied' }, { override });
      expect(photosOf(story)).toMatchObject([{ outdated: false }]);
    },
  );
});

it('L14: the photos of the first car count again after a change back to it', () => {
  const story = storyAt(10);
  story.sendAction('dispatch.staff');
  story.sendAction('dispatch.parkingImage');
  story.sendAction('dispatch.carImage');
  story.carChanged(12, 13, { changedAt: origin + 1 });
  expect(story.refusal('dispatch.complete')?.code).toBe('OUT_OF_ORDER');
  story.carChanged(13, 12, { changedAt: origin + 2 });
  expect(story.view.car).toMatchObject({ id: 12, changes: 1 });
  expect(photosOf(story).every((one) => !one.outdated)).toBe(true);
});

it('L12: a period change names the old and the new instants', () => {
  const story = storyAt(10);
  story.updated(10, { period: { ...whole.period, end: whole.period.end + hour } });
  const line = story.entries.at(-1);
  expect(line?.text).toContain(
    'from 2026-11-21T13:00:00.000+09:00 – 2026-11-22T13:00:00.000+09:00 to 2026-11-21T13:00:00.000+09:00 – 2026-11-22T14:00:00.000+09:00',
  );
  expect(line?.data).toMatchObject({ fromEnd: whole.period.end, toEnd: whole.period.end + hour });
});
