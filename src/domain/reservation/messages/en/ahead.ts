import type { Locale } from '../../../shared/message.js';
import type { Instant } from '../../../shared/time.js';
import type { CarEntry, CarFact } from '../../types.js';
import { carName } from './names.js';

/** The entry that a late return, or an extension, endangers; `at`: when the schedule was read. */
export interface AtRisk {
  next: CarEntry;
  isLate: boolean;
  candidates: readonly CarFact[] | null;
  at: Instant;
}

/** What follows in the schedule of the car (F60, F61). */
export const ahead = {
  'ahead.seen': ({ carId, next }: { carId: number; next: CarEntry | null }, { time }: Locale) =>
    next === null
      ? `Nothing follows in the schedule of car ${carId} for a week.`
      : `Next in the schedule of car ${carId}: ${entryText(next, time)}.`,
  'ahead.failed': ({ carId, code }: { carId: number; code: string }) =>
    `What follows in the schedule of car ${carId} could not be read (${code}); it is retried.`,
  'attention.next-in-danger': ({ atRisk }: { atRisk: AtRisk | null }, { time }: Locale) => {
    if (atRisk === null) return 'The car is needed next, and it may not be back in time. Call the customer.';
    const { next, candidates, at, isLate } = atRisk;
    const why = isLate ? 'the car is not back' : 'the period was extended';
    const left = timeLeft(next.start, at, time);
    const follows = `${why}, and ${entryText(next, time)} follows; ${left}. ${candidatesText(candidates)}`;
    return next.type === 'R'
      ? `The next reservation is at risk: ${follows} Call the customer, or give the next reservation another car.`
      : `The car is needed next: ${follows} Call the customer, or move the entry to another time or car.`;
  },
} as const;

/** `a reservation (R 77), 2026-… to 2026-…`. */
export function entryText(
  { type, scheduleId, start, end, reservationId }: CarEntry,
  time: Locale['time'],
): string {
  const whose = reservationId === undefined ? 'a reservation' : `reservation ${reservationId}`;
  const what = type === 'R' ? whose : 'an external entry';
  return `${what} (${type} ${scheduleId}), ${time(start)} to ${time(end)}`;
}

/** How long there was when the schedule was read: a text is read later than it was written. */
export function timeLeft(start: Instant, at: Instant, time: Locale['time']): string {
  if (start <= at) return `it had begun at ${time(at)}`;
  const minutes = Math.floor((start - at) / 60_000);
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours} h ` : ''}${minutes % 60} min were left at ${time(at)}`;
}

function candidatesText(candidates: readonly CarFact[] | null): string {
  if (candidates === null) return 'Which other cars are free is not known.';
  if (candidates.length === 0) return 'No other car of the product is free and on sale then.';
  return `Free and on sale then: ${candidates.map(carName).join(', ')}.`;
}
