import type { ReservationState, ReservationView } from '../../src/domain/reservation/index.js';
import { view } from '../../src/domain/reservation/index.js';

/**
 * What must not depend on the order of events (lifecycle rules, Order independence), read from the view: a fact
 * that is marked ambiguous may differ, its mark may not.
 */
export function compared(state: ReservationState, now: number): unknown {
  return comparedView(view(state, now));
}

export function comparedView(shown: ReservationView): unknown {
  const ambiguous = (name: string) => shown.marks.includes(`ambiguous:${name}`);
  const { period, car } = shown;
  const rest = (fact: { changes: number; grade: string } | null) =>
    fact === null ? null : { changes: fact.changes, grade: fact.grade };
  const grades = Object.entries(shown.evidence).map(([path, { grade }]) => [path, grade]);
  return {
    status: { code: shown.status.code, grade: shown.status.grade },
    registered: shown.registered,
    marks: shown.marks,
    period: { ...rest(period), ...(!ambiguous('period') && { start: period?.start, end: period?.end }) },
    car: { ...rest(car), ...(!ambiguous('car') && { id: car?.id, number: car?.number }) },
    grades,
    companion: ambiguous('companion') ? null : shown.companion,
    pickupMemo: ambiguous('pickupMemo') ? null : shown.pickup.memo,
    driver: ambiguous('driver') ? null : shown.driver,
    parking: shown.parking,
    driving: shown.driving,
    display: shown.display,
  };
}
