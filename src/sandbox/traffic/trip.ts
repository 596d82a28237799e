import type { Instant } from '../../platform/model.js';
import { proportions } from './proportions.js';
import type { Random } from './random.js';

const minute = 60_000;
const hour = 60 * minute;

/** What callbacks report: not staff and car photos (G31, G41). */
export type Act =
  | 'dispatchStart'
  | 'parkingImage'
  | 'dispatchComplete'
  | 'startUse'
  | 'extend'
  | 'return'
  | 'recallComplete'
  | 'cancel'
  | 'swapCar'
  | 'addCompanion'
  | 'removeCompanion';

export interface Step {
  at: Instant;
  act: Act;
}

interface Booked {
  createdAt: Instant;
  startAt: Instant;
  endAt: Instant;
}

/**
 * What customer and staff will do with one reservation, in order of time (`proportions` has the frequencies). Steps come
 * after the booking, and the steps of the handover stay in their order.
 */
export function planTrip(random: Random, { createdAt, startAt, endAt }: Booked): Step[] {
  const fate = random.unit();
  const { cancelled, noShow } = proportions;
  const handover = planHandover(random, createdAt, startAt);
  const before = planChanges(random, createdAt, startAt);
  if (fate < cancelled) {
    const at = Math.round(createdAt + minute + random.unit() * Math.max(0, startAt - createdAt - minute));
    const earlier = [...handover, ...before].filter((step) => step.at < at);
    return inOrder([...earlier, { at, act: 'cancel' }]);
  }
  if (fate < cancelled + noShow) {
    const reached = random.pick([0, 1, handover.length]);
    return inOrder([...handover.slice(0, reached), ...before].filter(({ at }) => at < endAt));
  }
  const ready = handover.at(-1)?.at ?? createdAt;
  const usedAt = Math.max(ready + minute, startAt + random.whole(-5, 30) * minute);
  if (usedAt >= endAt) return inOrder([...handover, ...before].filter(({ at }) => at < endAt));
  return inOrder([...handover, ...before.filter(({ at }) => at < usedAt), ...planUse(random, usedAt, endAt)]);
}

function planHandover(random: Random, createdAt: Instant, startAt: Instant): Step[] {
  const leads: [Act, number, number][] = [
    ['dispatchStart', 45, 100],
    ['parkingImage', 16, 40],
    ['dispatchComplete', 4, 11],
  ];
  let earliest = createdAt + 2 * minute;
  return leads.map(([act, least, most]) => {
    const at = Math.max(earliest, startAt - random.whole(least * 60, most * 60) * 1000);
    earliest = at + minute;
    return { act, at };
  });
}

function planChanges(random: Random, createdAt: Instant, startAt: Instant): Step[] {
  const between = () =>
    Math.round(createdAt + minute + random.unit() * Math.max(minute, startAt - createdAt));
  const steps: Step[] = [];
  if (random.chance(proportions.swapped)) steps.push({ act: 'swapCar', at: between() });
  if (random.chance(proportions.companion)) {
    const at = between();
    steps.push({ act: 'addCompanion', at });
    if (random.chance(proportions.companionRemoved))
      steps.push({ act: 'removeCompanion', at: at + random.whole(5, 300) * minute });
  }
  return steps;
}

function planUse(random: Random, usedAt: Instant, endAt: Instant): Step[] {
  const returnedAt = planReturn(random, usedAt, endAt);
  const steps: Step[] = [{ act: 'startUse', at: usedAt }];
  if (random.chance(proportions.extended)) {
    const at = Math.round(usedAt + (0.5 + random.unit() * 0.4) * (Math.min(endAt, returnedAt) - usedAt));
    steps.push({ act: 'extend', at });
  }
  const completeAt = returnedAt + random.whole(20, 330) * minute;
  return [...steps, { act: 'return', at: returnedAt }, { act: 'recallComplete', at: completeAt }];
}

function planReturn(random: Random, usedAt: Instant, endAt: Instant): Instant {
  const how = random.unit();
  const { late, early } = proportions;
  if (how < late) return endAt + Math.round(Math.min(6 * hour, 5 * minute + random.exponential(hour)));
  const left = endAt - usedAt;
  const earliest = how < late + early ? 0.75 : 0.97;
  return Math.round(usedAt + (earliest + random.unit() * (0.999 - earliest)) * left);
}

/** Steps of the same instant keep their order. */
const inOrder = (steps: Step[]): Step[] => steps.sort((a, b) => a.at - b.at);
