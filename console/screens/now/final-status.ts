import { useEffect, useMemo } from 'preact/hooks';
import { isTerminal } from '../../../src/domain/reservation/statuses.js';
import type { Reservation } from '../../api/types.js';
import { reservationResource } from '../../state/reservation.js';
import type { PlacedRow } from './arrangement.js';

/** One after another: many rows may leave together. */
let reading = Promise.resolve();

/** How the reservation of a row that left all lanes was closed, which no board states; null: it is open, or not read. */
export function useFinalStatus({ row, lane }: PlacedRow): Reservation['status'] | null {
  const hasLeft = lane === null;
  const resource = useMemo(() => (hasLeft ? reservationResource(row.reservationId) : null), [hasLeft]);
  useEffect(() => {
    if (resource !== null) reading = reading.then(() => resource.refresh());
  }, [resource]);
  const state = resource?.state.value;
  // of a long lane it may just be further down
  return state?.is === 'ready' && isTerminal(state.data.status.code ?? 0) ? state.data.status : null;
}
