import { send } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import type { Reservation } from '../api/types.js';
import { isAbout } from '../live/changes.js';
import { type Resource, resourceOf, useResource } from './resource.js';

const optionsOf = (id: number) => ({
  load: async () => (await send(endpoints.reservation, { params: { id } })).body,
  // answers overtake each other: an older one changes nothing
  isNewer: (next: Reservation, current: Reservation) => next.sequence >= current.sequence,
});

/** One reservation, read once for all that show it. */
export function reservationResource(id: number): Resource<Reservation> {
  return resourceOf(`reservation ${id}`, optionsOf(id));
}

/** The same, for as long as a component shows it: it is read again on its changes. */
export function useReservation(id: number): Resource<Reservation> {
  return useResource(`reservation ${id}`, {
    ...optionsOf(id),
    concerns: (change) => isAbout(change, ['reservation', 'claim'], id),
  });
}
