import { expect, it } from 'vitest';
import {
  type BelievedReservation,
  compare,
  type OpenFinding,
  review,
} from '../../../../src/domain/reconciliation/index.js';
import type { ScheduleEntry } from '../../../../src/domain/reservation/types.js';
import { entry, readsOf, slices } from '../../../support/schedule-readings.js';

const believes = (
  reservationId: number,
  { carId, start, end }: ScheduleEntry,
  companyId: number | null = null,
): BelievedReservation => ({
  companyId,
  reservationId,
  carId,
  period: { start, end },
  ended: false,
  scheduleId: null,
});
/** Which reservation has which entry. */
const matched = (entries: ScheduleEntry[], reservations: BelievedReservation[]) =>
  compare(readsOf(entries), reservations).checks.flatMap((check) =>
    check.kind === 'missing-there' ? [] : [[check.reservationId, check.entry.scheduleId]],
  );

it('F43: of two reservations that overlap an entry equally the older one has it, whatever their order', () => {
  const both = [believes(1, entry(0, 1, 0)), believes(2, entry(0, 1, 0))];
  expect(matched([entry(8, 1, 2)], both)).toEqual([[1, 8]]);
  expect(matched([entry(8, 1, 2)], both.toReversed())).toEqual([[1, 8]]);
});

const own = entry(8, 1, 5);
const alike = (reservationId: number, changes: Partial<BelievedReservation> = {}) => ({
  ...believes(reservationId, own),
  ...changes,
});
it.each<[string, BelievedReservation, BelievedReservation]>([
  ['of which it was known', alike(1, { scheduleId: 8, ended: true }), alike(2)],
  ['that has not ended', alike(1), alike(2, { ended: true })],
  [
    'that has not ended, also where its known entry is another',
    alike(1, { scheduleId: 5 }),
    alike(2, { ended: true }),
  ],
  ['of which no other entry is known', alike(1), alike(2, { scheduleId: 5 })],
  ['that is newer', alike(2), alike(1)],
  ['that is newer, of two with other entries', alike(2, { scheduleId: 6 }), alike(1, { scheduleId: 5 })],
])('F43: of two reservations with the car and period of an entry, the one has it %s', (_, owner, other) => {
  const expected = [[owner.reservationId, 8]];
  const ofOwner = (pairs: (number | undefined)[][]) => pairs.filter(([, scheduleId]) => scheduleId === 8);
  expect(ofOwner(matched([own], [owner, other]))).toEqual(owner.ended ? [] : expected);
  expect(ofOwner(matched([own], [other, owner]))).toEqual(owner.ended ? [] : expected);
});

it('F43: the reservation that overlaps an entry longer has it, also before one that begins with the entry', () => {
  const longer = believes(2, entry(0, 1, 0, 12));
  const shorter = believes(1, entry(0, 1, 2, 6));
  expect(matched([entry(8, 1, 2)], [shorter, longer])).toEqual([[2, 8]]);
});

it.each([
  ['begins later', entry(0, 1, 0, 12), entry(0, 1, 10)],
  ['ends later', entry(0, 1, 10), entry(0, 1, -20, 29)],
])(
  'F43: an entry is of the reservation with more common time, also where another %s',
  (_, longer, shorter) => {
    const reservations = [believes(1, shorter), believes(2, longer)];
    expect(matched([entry(8, 1, 5)], reservations)).toEqual([[2, 8]]);
  },
);

it('F43: two reservations with the car and period of two entries have one each', () => {
  expect(matched([own, entry(9, 1, 5)], [alike(1), alike(2)])).toEqual([
    [1, 9],
    [2, 8],
  ]);
});

it('F43, G39: an ended reservation has one entry, and none that is longer than its period', () => {
  const ended = [{ ...believes(1, entry(0, 1, 5)), ended: true }];
  const strangersAmong = (...entries: ScheduleEntry[]) =>
    compare(readsOf(entries), ended).undiscovered.map(({ scheduleId }) => scheduleId);
  expect(strangersAmong(entry(8, 1, 5, 9))).toEqual([]);
  expect(strangersAmong(entry(8, 1, 5, 11))).toEqual([8]);
  expect(strangersAmong(entry(8, 1, 5, 9), entry(9, 1, 5, 8))).toEqual([9]);
});

it.each([
  ['car', { carId: null }],
  ['period', { period: null }],
])(
  'F43: a reservation whose %s is not known has no entry but the one known before, and misses none',
  (_, unknown) => {
    const one = { ...believes(1, own), ...unknown };
    expect(compare(readsOf([own]), [one]).checks).toEqual([]);
    expect(matched([own], [{ ...one, scheduleId: 8 }])).toEqual([[1, 8]]);
  },
);

it('F43, G39: only an ended reservation has a shortened entry by its start alone', () => {
  const begins = believes(2, entry(0, 1, 5));
  const contains = believes(1, entry(0, 1, 4));
  expect(matched([entry(8, 1, 5, 5)], [begins, contains])).toEqual([[1, 8]]);
});

it('F43: a period that only touches an entry does not overlap it', () => {
  expect(matched([entry(8, 1, 10, 5)], [believes(1, entry(0, 1, 0, 10))])).toEqual([]);
  expect(matched([entry(8, 1, 10, 5)], [believes(1, entry(0, 1, 15, 5))])).toEqual([]);
});

it('F43, G27: another car of the same period is matched only for a company whose entries are shown', () => {
  const ours = believes(1, entry(0, 1, 5), 11);
  const theirs = believes(2, entry(0, 2, 40), 12);
  const known = entry(9, 3, 80);
  expect(matched([entry(8, 7, 5)], [ours, theirs])).toEqual([]);
  expect(matched([entry(8, 7, 5)], [ours])).toEqual([[1, 8]]);
  expect(matched([entry(8, 7, 5), known], [ours, theirs, believes(3, known, 11)])).toContainEqual([1, 8]);
});

it('F46: an undiscovered entry is over once it is known, whatever its place then', () => {
  const open: OpenFinding = {
    id: 1,
    kind: 'undiscovered',
    reservationId: null,
    reads: 2,
    lastSeenAt: 0,
    ...entry(9, 3, 5),
  };
  const moved = entry(9, 3, 24 * 20);
  const gone = (reservations: BelievedReservation[], entries: ScheduleEntry[]) =>
    review([open], compare(readsOf(entries), reservations), { at: 1, slices }).gone;
  expect(gone([believes(4, moved)], [moved])).toEqual([1]);
  expect(gone([believes(4, moved)], [])).toEqual([]);
});
