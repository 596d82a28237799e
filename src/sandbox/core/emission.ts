import type { Callback, Instant, Reservation } from '../../platform/model.js';
import type { Behaviour } from '../../platform/profile.js';

/** What happened to a reservation, as the profile's emission table names it (G31). */
export type Happening = keyof Behaviour['emits'];

/**
 * The callbacks that a change emits, in order (G28-G31).
 * @param reservation as it is after the change
 * @param now instant of the change
 * @param previousCarId for a car change
 */
export function emission(
  behaviour: Behaviour,
  happening: Happening,
  reservation: Reservation,
  now: Instant,
  previousCarId?: number,
): Callback[] {
  const { reservationId, reservationStatus, carId, carNumber } = reservation;
  return behaviour.emits[happening].map((kind): Callback => {
    switch (kind) {
      case 'status':
        return { kind, reservationId, reservationStatus, changedAt: now };
      case 'car': {
        const previous = previousCarId === undefined ? {} : { previousCarId };
        return { kind, reservationId, carId, carNumber, ...previous, changedAt: now };
      }
      default:
        return { kind, reservation, changedAt: now };
    }
  });
}
