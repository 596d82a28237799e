import type { Instant } from '../shared/time.js';
import type { CarEntry, CarFact } from './types.js';

/** What the schedule said of a car, and when. */
export interface Seen {
  at: Instant;
  carId: number;
  /** The first entry after the reservation's own; null: none for days. */
  next: CarEntry | null;
  /** Cars of the same product that are on sale and free for that entry's period; null where this is unknown. */
  candidates: CarFact[] | null;
}

/** What was looked up of what comes after a reservation (F60). */
export interface LookAhead {
  /** What it was asked for: another car, end or step of the ladder asks for another look. */
  asked: string;
  seen: Seen | null;
  /** Looks in a row that were not answered. */
  failures: number;
  again: Instant | null;
}
