import { newReservation, observe, type ReservationEvent } from '../../src/domain/reservation/index.js';
import { compared } from './compared.js';
import { day, origin, policy } from './reservation-story.js';

/** When every event of a test arrives. */
export const later = origin + 5 * day;

/** What must be the same whatever the order, after all events in this one. */
export function outcome(events: ReservationEvent[]): string {
  const start = newReservation(1, policy, origin);
  const state = events.reduce((known, event) => observe(known, event, later).state, start);
  return JSON.stringify(compared(state, later));
}

export function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

/** The events of a delivery in the order of emission, each once per identity. */
export function inOrder(events: ReservationEvent[]): ReservationEvent[] {
  return [...events].sort((a, b) => Math.abs(a.inboxId) - Math.abs(b.inboxId) || b.inboxId - a.inboxId);
}
