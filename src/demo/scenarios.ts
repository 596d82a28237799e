/** The five stories that the demo plays; each ends in the status that stands beside it. */
export const scenarios = {
  'on-time': { ends: 35, rentalSeconds: 600, tells: 'handed over, driven, returned, recalled' },
  weekend: { ends: 35, rentalSeconds: 600, tells: 'the same, another car' },
  cancelled: { ends: 40, rentalSeconds: 600, tells: 'the customer cancels after departure' },
  'no-show': { ends: 45, rentalSeconds: 14, tells: 'handed over, never used' },
  late: { ends: 35, rentalSeconds: 18, tells: 'returned after the end of the period' },
} as const;
export type Scenario = keyof typeof scenarios;

/** What the driver sees of a reservation: the part of the status API's answer that decides. */
export interface Seen {
  status: { code: number | null };
  dispatch: { staff: unknown; parkingImage: unknown; carImage: unknown };
  recall: { staff: unknown; carImage: unknown };
  closed: boolean;
}

/** Who moves next, and how. `staff` moves are the status API's, `customer` moves the sandbox's. */
export type Move =
  | { who: 'staff'; action: StaffAction }
  | { who: 'customer'; action: 'start-use' | 'return' | 'cancel' }
  | { who: 'nobody' }
  | { who: 'done' };
export type StaffAction =
  | 'dispatch/staff'
  | 'dispatch/start'
  | 'dispatch/parkingImage'
  | 'dispatch/carImage'
  | 'dispatch/complete'
  | 'recall/staff'
  | 'recall/carImage'
  | 'recall/complete';

/** The next move of a story, from what the status API shows alone: so a demo continues after a restart. */
export function nextMove(scenario: Scenario, seen: Seen): Move {
  switch (seen.status.code) {
    case 5:
      return staff(seen.dispatch.staff === null ? 'dispatch/staff' : 'dispatch/start');
    case 10:
      if (scenario === 'cancelled') return { who: 'customer', action: 'cancel' };
      if (seen.dispatch.parkingImage === null) return staff('dispatch/parkingImage');
      return staff(seen.dispatch.carImage === null ? 'dispatch/carImage' : 'dispatch/complete');
    case 15:
      return scenario === 'no-show' ? { who: 'nobody' } : { who: 'customer', action: 'start-use' };
    case 20:
      return scenario === 'late' ? { who: 'nobody' } : { who: 'customer', action: 'return' };
    case 25:
      return { who: 'customer', action: 'return' };
    case 30:
      if (seen.recall.staff === null) return staff('recall/staff');
      return staff(seen.recall.carImage === null ? 'recall/carImage' : 'recall/complete');
    case 35:
    case 40:
    case 45:
    case 50:
      return { who: 'done' };
    default:
      return { who: 'nobody' };
  }
}

function staff(action: StaffAction): Move {
  return { who: 'staff', action };
}
