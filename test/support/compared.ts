import type { ReservationState } from '../../src/lifecycle/index.js';
import { view } from '../../src/lifecycle/index.js';

/**
 * What must not depend on the order of events (lifecycle rules, Order independence), read from the view: a fact
 * that is marked ambiguous may differ, its mark may not.
 */
export function compared(state: ReservationState, now: number): unknown {
  const shown = view(state, now);
  const ambiguous = (name: string) => shown.marks.includes(`ambiguous:${name}`);
  const { start, end, ...periodRest } = shown.period ?? {};
  const { id, number, ...carRest } = shown.car ?? {};
  return {
    status: { code: shown.status.code, grade: shown.status.grade },
    registered: shown.registered,
    marks: shown.marks,
    period: ambiguous('period') ? periodRest : shown.period,
    car: ambiguous('car') ? carRest : shown.car,
    companion: ambiguous('companion') ? null : shown.companion,
    pickupMemo: ambiguous('pickupMemo') ? null : shown.pickup.memo,
    parking: shown.parking,
    driving: shown.driving,
    display: shown.display,
  };
}
