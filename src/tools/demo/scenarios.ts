import type { ActionPath, CustomerMove } from '../player/actions.js';

const minute = 60_000;

/** The five stories that the demo plays, each with the status in which it ends. */
export const scenarios = {
  'on-time': { ends: 35, startsInMs: 120 * minute, story: 'handed over, driven, returned, recalled' },
  weekend: { ends: 35, startsInMs: 120 * minute, story: 'the same, another car' },
  cancelled: { ends: 40, startsInMs: 120 * minute, story: 'the customer cancels after departure' },
  'no-show': { ends: 45, startsInMs: 5_000, story: 'handed over, cut short, never used' },
  late: { ends: 35, startsInMs: 5_000, story: 'cut short, returned after the end of the period' },
} as const;
export type Scenario = keyof typeof scenarios;

/** What the driver sees of a reservation: the part of the status API's answer that decides. */
export interface Seen {
  status: { code: number | null; name: string };
  period: { start: string; end: string } | null;
  dispatch: { staff: unknown; parkingImage: unknown; carImage: unknown };
  recall: { staff: unknown; carImage: unknown };
  commands: { action: string; outcome: string }[];
}

/** Who moves next, and how. */
export type Move =
  | { who: 'staff'; action: ActionPath }
  | { who: 'customer'; move: CustomerMove }
  | { who: 'website'; endAt: number }
  | { who: 'none' };

/**
 * The next move of a story, from what the status API shows alone: so a demo continues after a restart.
 * @param now an instant
 */
export function nextMove(scenario: Scenario, seen: Seen, now: number): Move {
  if (isUnderWay(seen)) return { who: 'none' };
  switch (seen.status.code) {
    case 5:
      return staff(seen.dispatch.staff === null ? 'dispatch/staff' : 'dispatch/start');
    case 10:
      if (scenario === 'cancelled') return { who: 'customer', move: 'cancel' };
      if (seen.dispatch.parkingImage === null) return staff('dispatch/parkingImage');
      return staff(seen.dispatch.carImage === null ? 'dispatch/carImage' : 'dispatch/complete');
    case 15:
      return scenario === 'no-show' ? cutShort(seen, now) : { who: 'customer', move: 'start-use' };
    case 20:
      return scenario === 'late' ? cutShort(seen, now) : { who: 'customer', move: 'return' };
    case 25:
      return { who: 'customer', move: 'return' };
    case 30:
      if (seen.recall.staff === null) return staff('recall/staff');
      return staff(seen.recall.carImage === null ? 'recall/carImage' : 'recall/complete');
    default:
      return { who: 'none' };
  }
}

export function isEnded(seen: Seen): boolean {
  return seen.status.code !== null && [35, 40, 45, 50].includes(seen.status.code);
}

function staff(action: ActionPath): Move {
  return { who: 'staff', action };
}

/** A command whose outcome is still open; one that moves the status is also retried where it is unknown (L30). */
function isUnderWay({ commands }: Seen): boolean {
  const retried = ['dispatch.start', 'dispatch.complete', 'recall.complete'];
  return commands.some(
    ({ action, outcome }) =>
      ['queued', 'out', 'waiting', 'suspended'].includes(outcome) ||
      (outcome === 'unknown' && retried.includes(action)),
  );
}

const untilTheEndMs = 2_000;

/** The customer ends the rental in a moment on the web site, so that the demo need not wait for hours. */
function cutShort({ period }: Seen, now: number): Move {
  if (period === null || Date.parse(period.end) <= now + 2 * untilTheEndMs) return { who: 'none' };
  const endAt = Math.max(now + untilTheEndMs, Date.parse(period.start) + 1_000);
  return { who: 'website', endAt };
}
