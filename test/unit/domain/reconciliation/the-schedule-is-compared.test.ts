import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type BelievedReservation,
  compare,
  noticeFor,
  type OpenFinding,
  review,
  type SliceRead,
  slicesOf,
} from '../../../../src/domain/reconciliation/index.js';
import type { ScheduleEntry } from '../../../../src/domain/reservation/types.js';
import { entry, noon, readsOf, slices } from '../../../support/schedule-readings.js';

const hour = 3_600_000;
const day = 24 * hour;
const believes = (
  reservationId: number,
  {
    carId,
    start,
    end,
    scheduleId = null,
  }: Partial<Omit<ScheduleEntry, 'scheduleId'>> & { scheduleId?: number | null },
  ended = false,
  companyId: number | null = null,
): BelievedReservation => ({
  companyId,
  reservationId,
  carId: carId ?? null,
  period: start === undefined || end === undefined ? null : { start, end },
  ended,
  scheduleId,
});
const unlinked = (one: ScheduleEntry) => ({ ...one, scheduleId: null });

it('F40: the period of a reading is whole days of the service zone, in slices without gap or overlap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.record({
        daysBack: fc.nat(40),
        daysAhead: fc.nat(90),
        sliceDays: fc.integer({ min: 1, max: 9 }),
        zoneOffsetMinutes: fc.integer({ min: -720, max: 840 }),
      }),
      (now, settings) => {
        const made = slicesOf(now, settings);
        const offset = settings.zoneOffsetMinutes * 60_000;
        for (const [index, { from, to, startDate, endDate }] of made.entries()) {
          expect(Date.parse(`${startDate}T00:00:00Z`) - offset).toBe(from);
          expect(Date.parse(`${endDate}T00:00:00Z`) - offset + day).toBe(to);
          expect(to - from).toBeLessThanOrEqual(settings.sliceDays * day);
          if (index > 0) expect(from).toBe(made[index - 1]?.to);
        }
        const [first, last] = [made[0], made.at(-1)];
        expect((last?.to ?? 0) - (first?.from ?? 0)).toBe((settings.daysBack + 1 + settings.daysAhead) * day);
        expect(first?.from).toBeLessThanOrEqual(now - settings.daysBack * day);
        expect(last?.to).toBeGreaterThan(now + settings.daysAhead * day);
      },
    ),
  );
});

const plants = ['known', 'ended', 'closed early', 'unheard', 'period', 'car', 'missing', 'linked'] as const;
type Plant = (typeof plants)[number];

/** Cars with reservations one after the other; what was planted in each, and what both sides hold of it. */
function planted(cars: readonly (readonly Plant[])[]) {
  const entries: ScheduleEntry[] = [];
  const reservations: BelievedReservation[] = [];
  const wanted = new Map<number, string>();
  const strangers: number[] = [];
  let id = 0;
  for (const [car, rentals] of cars.entries()) {
    for (const [place, plant] of rentals.entries()) {
      id += 1;
      // no two reservations have the same period: else a car that differs could not be recognised
      const own = {
        ...entry(1_000 + id, car + 1, 40 * place, 10),
        end: noon + (40 * place + 10) * hour + id,
      };
      if (plant === 'unheard') {
        entries.push(own);
        strangers.push(own.scheduleId);
        continue;
      }
      if (plant === 'closed early') entries.push({ ...own, end: own.end - hour });
      else if (plant !== 'missing') entries.push(own);
      const moved = { start: own.start - hour, end: own.end - hour };
      const far = { start: own.start + 11 * hour, end: own.end + 11 * hour, scheduleId: own.scheduleId };
      const claimed =
        plant === 'period'
          ? { ...unlinked(own), ...moved }
          : plant === 'car'
            ? { ...unlinked(own), carId: 5_000 + id }
            : plant === 'linked'
              ? { ...own, ...far }
              : unlinked(own);
      reservations.push(believes(id, claimed, plant === 'ended' || plant === 'closed early'));
      const kind = {
        known: 'agrees',
        period: 'period-differs',
        linked: 'period-differs',
        car: 'car-differs',
        missing: 'missing-there',
      };
      if (plant in kind) wanted.set(id, kind[plant as keyof typeof kind]);
    }
  }
  return { entries, reservations, wanted, strangers };
}

it('F42, F43, F44: in any fleet exactly the planted differences are found, whatever the order of the input', () => {
  const fleet = fc.array(fc.array(fc.constantFrom(...plants), { maxLength: 8 }), { maxLength: 8 });
  fc.assert(
    fc.property(fleet, fc.boolean(), (cars, reversed) => {
      const { entries, reservations, wanted, strangers } = planted(cars);
      const given = reversed ? reservations.toReversed() : reservations;
      const found = compare(readsOf(reversed ? entries.toReversed() : entries), given);
      expect(new Map(found.checks.map(({ reservationId, kind }) => [reservationId, kind]))).toEqual(wanted);
      expect(found.undiscovered.map(({ scheduleId }) => scheduleId).sort()).toEqual(strangers.sort());
    }),
  );
});

it('F43: of two reservations with the same car and period, the one that had the entry keeps it, then the newer one gets it', () => {
  const shown = entry(7, 1, 5);
  const owner = (reservations: BelievedReservation[]) =>
    compare(readsOf([shown]), reservations).checks.find(({ kind }) => kind === 'agrees')?.reservationId;
  expect(owner([believes(1, shown), believes(2, unlinked(shown))])).toBe(1);
  expect(owner([believes(1, unlinked(shown)), believes(2, unlinked(shown))])).toBe(2);
  expect(owner([believes(1, { ...shown, scheduleId: 6 }), believes(2, unlinked(shown))])).toBe(2);
  expect(owner([believes(2, unlinked(shown), true), believes(1, unlinked(shown))])).toBe(1);
});

it('F43: two reservations and two entries of one period on other cars are not paired by a guess', () => {
  const believed = [believes(1, unlinked(entry(0, 1, 5))), believes(2, unlinked(entry(0, 2, 5)))];
  const { checks, undiscovered } = compare(readsOf([entry(8, 3, 5), entry(9, 4, 5)]), believed);
  expect(checks.map(({ kind }) => kind)).toEqual(['missing-there', 'missing-there']);
  expect(undiscovered).toHaveLength(2);
});

it('F41: an ended reservation expects no entry, and an entry of its car that begins at another time is not its own', () => {
  const ended = believes(1, unlinked(entry(0, 1, 0, 20)), true);
  expect(compare(readsOf([]), [ended]).checks).toEqual([]);
  const { undiscovered } = compare(readsOf([entry(8, 1, 5)]), [ended]);
  expect(undiscovered).toHaveLength(1);
});

it('F45: an absence counts only where the same request showed another known entry', () => {
  const missing = believes(1, unlinked(entry(0, 1, 5)));
  const near = entry(8, 2, 6);
  const far = entry(9, 2, 24 * 20);
  const isControlled = (entries: ScheduleEntry[], others: ScheduleEntry[]) => {
    const known = others.map((one, index) => believes(index + 2, unlinked(one)));
    const [check] = compare(readsOf(entries), [missing, ...known]).checks.filter(
      ({ kind }) => kind === 'missing-there',
    );
    return check?.kind === 'missing-there' && check.controlled;
  };
  expect(isControlled([near], [near])).toBe(true);
  expect(isControlled([near], [])).toBe(false);
  expect(isControlled([far], [far])).toBe(false);
  expect(isControlled([], [near])).toBe(false);
});

it('F45: an undiscovered entry is controlled only by a reading of its time that shows a known entry', () => {
  const shown = entry(8, 2, 6);
  const { isControlled } = compare(readsOf([shown]), [believes(2, unlinked(shown))]);
  expect(isControlled(entry(9, 3, 7))).toBe(true);
  expect(isControlled(entry(9, 3, 24 * 20))).toBeFalsy();
});

it('F47: a missing entry may be one of the eight undiscovered ones of its car that begin nearest', () => {
  const missing = believes(1, unlinked(entry(0, 1, 200)));
  const starts = [100, 120, 140, 160, 180, 230, 250, 270, 290, 310];
  const strangers = starts.map((fromHour) => entry(fromHour, 1, fromHour));
  const { checks } = compare(readsOf(strangers), [missing]);
  const [check] = checks;
  expect(check?.kind === 'missing-there' && check.candidates.map(({ scheduleId }) => scheduleId)).toEqual([
    180, 230, 160, 250, 140, 270, 120, 290,
  ]);
});

it('F45: an unreadable entry prevents a proof of absence for its car, and for all cars where its car is unknown', () => {
  const [near, far] = [entry(1, 11, 2), entry(2, 12, 3)];
  const [a, b] = [believes(1, near), believes(2, unlinked(far))];
  const missing = (unread?: SliceRead['unread']) =>
    compare(
      readsOf([near]).map((read) => ({ ...read, unread })),
      [a, b],
    ).checks.find((one) => one.kind === 'missing-there');
  expect(missing()).toMatchObject({ reservationId: 2, controlled: true });
  expect(missing([11])).toMatchObject({ reservationId: 2, controlled: true });
  expect(missing([12])).toMatchObject({ reservationId: 2, controlled: false });
  expect(missing('any')).toMatchObject({ reservationId: 2, controlled: false });

  const unreadIn = (isUnread: (read: SliceRead) => boolean) =>
    compare(
      readsOf([near]).map((read) => (isUnread(read) ? { ...read, unread: 'any' as const } : read)),
      [a, b],
    ).checks.find((one) => one.kind === 'missing-there');
  const isOfMissing = ({ from, to }: SliceRead) => from <= far.start && far.start < to;
  expect(unreadIn(isOfMissing)).toMatchObject({ controlled: false });
  expect(unreadIn((read) => !isOfMissing(read))).toMatchObject({ controlled: true });

  const known = { id: 1, kind: 'undiscovered', scheduleId: 9, carId: 12, reservationId: null } as const;
  const open = { ...known, start: far.start, end: far.end, reads: 2, lastSeenAt: noon - hour };
  const gone = (unread?: SliceRead['unread']) =>
    review(
      [open],
      compare(
        readsOf([near]).map((read) => ({ ...read, unread })),
        [a],
      ),
      { at: noon, slices },
    ).gone;
  expect(gone()).toEqual([1]);
  expect(gone([12])).toEqual([]);
});

it('F45: a reservation of another company, whose schedule the key does not show, is neither missing nor paired', () => {
  const ours = believes(2, unlinked(entry(8, 2, 6)), false, 11);
  const theirs = believes(1, unlinked(entry(0, 1, 5)), false, 12);
  const { checks } = compare(readsOf([entry(8, 2, 6), entry(9, 3, 5)]), [theirs, ours]);
  expect(checks).toMatchObject([
    { reservationId: 2, kind: 'agrees' },
    { reservationId: 1, kind: 'missing-there', controlled: false },
  ]);
});

it('F42: a reservation whose period lies outside the period of the reading is not missing', () => {
  const later = believes(1, unlinked(entry(0, 1, 24 * 60)));
  expect(
    compare(readsOf([entry(8, 2, 6)]), [later, believes(2, unlinked(entry(8, 2, 6)))]).checks,
  ).toHaveLength(1);
});

/** Reads one after the other; the findings after the last. */
function after(worlds: [ScheduleEntry[], BelievedReservation[]][]): OpenFinding[] {
  let open: OpenFinding[] = [];
  for (const [index, [entries, reservations]] of worlds.entries()) {
    const { fresh, again, gone } = review(open, compare(readsOf(entries), reservations), {
      at: index,
      slices,
    });
    const made = fresh.map((one, place) => ({
      ...one,
      id: 100 * index + place,
      reads: 1,
      lastSeenAt: index,
    }));
    expect(gone.every((id) => open.some((one) => one.id === id))).toBe(true);
    const same = open.filter(({ id }) => !gone.includes(id) && !again.some((one) => one.id === id));
    open = [...same, ...again, ...made];
  }
  return open;
}
const known = entry(8, 2, 6);
const knower = believes(2, unlinked(known));
const alone = believes(1, unlinked(entry(0, 1, 5)));

it('F46: a difference in a second reading counts, and is over when both sides agree', () => {
  const stranger = entry(9, 3, 5, 9);
  const world: [ScheduleEntry[], BelievedReservation[]] = [
    [known, stranger],
    [knower, alone],
  ];
  expect(after([world, world]).map(({ kind, reads }) => [kind, reads])).toEqual([
    ['undiscovered', 2],
    ['missing-there', 2],
  ]);
  const adopted = [knower, believes(3, unlinked(stranger))];
  expect(after([world, world, [[known, stranger], adopted]])).toEqual([]);
  expect(after([world, world, [[known], [knower]]])).toEqual([]);
});

it('F46: each undiscovered entry is a finding of its own, which its move does not begin again', () => {
  const [one, other] = [entry(9, 3, 5), entry(10, 3, 40)];
  const first: [ScheduleEntry[], BelievedReservation[]] = [[one, other], []];
  const found = after([first, [[entry(9, 3, 6), other], []]]);
  expect(found.map(({ scheduleId, reads, start }) => [scheduleId, reads, start])).toEqual([
    [9, 2, noon + 6 * hour],
    [10, 2, other.start],
  ]);
});

it('F46: an absence is over once the entry is there, also where no other reservation is known', () => {
  const own = entry(9, 1, 5);
  expect(
    after([
      [[known], [knower, alone]],
      [[own], [alone]],
    ]),
  ).toEqual([]);
});

it('F46: an undiscovered entry that a reading without a known entry does not show stays, unless it is out of the period', () => {
  const last = slices.at(-1)?.to ?? 0;
  const gone = (start: number) => {
    const open = { id: 1, kind: 'undiscovered', scheduleId: 9, carId: 3, reservationId: null } as const;
    const finding = { ...open, start, end: start + hour, reads: 2, lastSeenAt: 0 };
    return review([finding], compare(readsOf([]), []), { at: 1, slices }).gone;
  };
  expect(gone(last - 1)).toEqual([]);
  expect(gone(last)).toEqual([1]);
});

it('F45: a reading that shows no known entry clears nothing and confirms no absence', () => {
  const stranger = entry(9, 3, 5, 9);
  const world: [ScheduleEntry[], BelievedReservation[]] = [
    [known, stranger],
    [knower, alone],
  ];
  const blank: [ScheduleEntry[], BelievedReservation[]] = [[], [knower, alone]];
  expect(after([blank, blank])).toEqual([]);
  expect(after([world, blank]).map(({ kind, reads }) => [kind, reads])).toEqual(
    expect.arrayContaining([
      ['undiscovered', 1],
      ['missing-there', 1],
    ]),
  );
});

it('F46: a repeated reading counts once, and another difference starts again', () => {
  const open = (reads: number, start: number): OpenFinding => ({
    id: 1,
    kind: 'period-differs',
    scheduleId: 8,
    carId: 2,
    reservationId: 2,
    reads,
    lastSeenAt: 5,
    start: known.start + start,
    end: known.end,
  });
  const comparison = compare(readsOf([known]), [believes(2, { ...unlinked(known), end: known.end + hour })]);
  const readsAt = (at: number, before: OpenFinding) =>
    review([before], comparison, { at, slices }).again.map(({ reads }) => reads);
  expect(readsAt(6, open(1, 0))).toEqual([2]);
  expect(readsAt(5, open(2, 0))).toEqual([2]);
  expect(readsAt(6, open(2, hour))).toEqual([1]);
});

it('F47: a reservation is notified once: again only for another entry, belief or count of readings', () => {
  const notification = (entries: ScheduleEntry[], one: BelievedReservation, reads: number) => {
    const check = compare(readsOf(entries), [knower, one]).checks.find(
      ({ reservationId }) => reservationId === one.reservationId,
    );
    return check === undefined ? undefined : noticeFor(check, { at: 1, reads });
  };
  const own = entry(9, 1, 5);
  const agreeing = notification([known, own], alone, 0);
  expect(agreeing).toMatchObject({ evidence: { entry: own, candidates: [], confirmed: true } });
  expect(notification([known, own], alone, 0)?.mark).toBe(agreeing?.mark);
  expect(notification([known, entry(10, 1, 5)], alone, 0)?.mark).not.toBe(agreeing?.mark);
  const moved = believes(1, { ...unlinked(own), end: own.end + hour });
  const differing = (scheduleId: number) => notification([known, entry(scheduleId, 1, 5)], moved, 1)?.mark;
  expect(differing(10)).not.toBe(differing(9));
  const marks = [1, 2, 3].map((reads) => notification([known, own], moved, reads)?.mark);
  expect(new Set(marks).size).toBe(2);
  expect(marks[1]).toBe(marks[2]);
  expect(notification([known], alone, 1)).toBeNull();
  expect(notification([known], alone, 2)).toMatchObject({
    evidence: { entry: null, candidates: [], confirmed: true },
  });
  const elsewhere = entry(9, 1, 200);
  expect(notification([known, elsewhere], alone, 1)).toMatchObject({
    evidence: { entry: null, candidates: [elsewhere], confirmed: false },
  });
});
