import type { Instant } from '../../platform/model.js';
import { proportions } from './proportions.js';
import type { Random } from './random.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Share of a day's bookings by hour of the service's day: few at night, most in the evening. */
const hours = [1, 1, 0, 0, 0, 1, 2, 3, 5, 6, 6, 6, 5, 5, 5, 5, 6, 6, 7, 8, 8, 7, 5, 2];
const total = hours.reduce((sum, share) => sum + share, 0);

/** When customers want to book, in no order. @param beginsAt midnight of the first day */
export function arrivals(random: Random, beginsAt: Instant, days: number, cars: number): Instant[] {
  const perDay = proportions.bookingsPerCarAndDay * cars;
  return Array.from({ length: days }, (_each, index) => {
    const count = Math.floor(perDay * (0.8 + 0.4 * random.unit()) + random.unit());
    return Array.from({ length: count }, () => beginsAt + index * day + momentOfDay(random));
  }).flat();
}

function momentOfDay(random: Random): number {
  let left = random.unit() * total;
  const index = hours.findIndex((share) => {
    left -= share;
    return left < 0;
  });
  return Math.max(0, index) * hour + random.whole(0, hour - 1);
}

/** The period that a customer books now: from half an hour to three weeks ahead, a few hours to a week long. */
export function wantedPeriod(random: Random, now: Instant): { startAt: Instant; endAt: Instant } {
  const half = 30 * minute;
  const ahead = Math.min(21 * day, hour + random.exponential(3 * day));
  const startAt = Math.ceil((now + ahead) / half) * half;
  const kind = random.unit();
  const halves =
    kind < 0.25 ? random.whole(8, 24) : kind < 0.7 ? random.whole(40, 60) : random.whole(72, 336);
  return { startAt, endAt: startAt + halves * half };
}
