import type { Instant } from '../shared/time.js';
import type { CarEntry, CarFact } from './types.js';

/** What the schedule showed of a car, and when. */
export interface Seen {
  at: Instant;
  carId: number;
  /** The first entry after the reservation's own; null: none for days. */
  next: CarEntry | null;
  /** Cars of the same product that are on sale and free for that entry's period; null where this is unknown. */
  candidates: CarFact[] | null;
}

/** What was read about the car's schedule after a reservation (F60). */
export interface LookAhead {
  /** The cause of the reading: another car, end or step of the ladder requires another reading. */
  asked: string;
  seen: Seen | null;
  /** Readings in a row that failed. */
  failures: number;
  again: Instant | null;
}
