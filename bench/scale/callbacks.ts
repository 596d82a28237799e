import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { registrationOf } from '../intake/callbacks.js';
import { access } from '../target.js';

const { callbacks } = defaultProfile;
const hour = 3_600_000;
const day = 24 * hour;
/** Pickups are spread over so many days. */
const days = 28;

export interface ScaleCallback {
  id: string;
  path: string;
  body: string;
}

/** Of all reservations that the bench opens by callbacks, far from the ids of the sandbox. */
const firstReservation = 50_000_000;

export const reservationAt = (index: number): number => firstReservation + index;

/** What opens the reservation number `index`: its registration on both channels. Its pickup is two days ahead or more. */
export function openingOf(index: number, now: number): ScaleCallback[] {
  const reservationId = reservationAt(index);
  const status = callbacks.encode({ kind: 'status', reservationId, reservationStatus: 5 });
  return [
    changed('registration', index, now, 0),
    { id: `opened-${index}`, path: callbacks.paths.status, body: JSON.stringify(status) },
  ];
}

/** The change number `change` of the reservation: another end. */
export function changeOf(index: number, now: number, change: number): ScaleCallback {
  return changed('update', index, now, change);
}

function changed(kind: 'registration' | 'update', index: number, now: number, change: number): ScaleCallback {
  const startAt = now - (now % hour) + 2 * day + ((index * 37) % (days * 24)) * hour;
  const reservation = {
    ...registrationOf(reservationAt(index), now),
    companyId: access.companyId,
    // a car of its own: no two reservations want the same one
    carId: 100_000 + index,
    startAt,
    endAt: startAt + (4 + change) * hour,
  };
  const body = JSON.stringify(callbacks.encode({ kind, reservation }));
  return { id: `${kind}-${index}-${change}`, path: callbacks.paths[kind], body };
}
