import { useEffect, useState } from 'preact/hooks';
import { isTerminal } from '../../../src/domain/reservation/statuses.js';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { PlacedRow } from './arrangement.js';

/** One after another: many rows may leave together. */
let reading = Promise.resolve();

/** The status at the end of a reservation that left all lanes, which no board states; null: it continues, or cannot be read. */
export function useFinalStatus({ row: { reservationId, carId }, lane }: PlacedRow): number | null {
  const [status, setStatus] = useState<number | null>(null);
  const hasLeft = lane === null;
  useEffect(() => {
    if (!hasLeft) return;
    let isGone = false;
    reading = reading
      .then(async () => {
        if (!isGone) setStatus(await finalStatus(reservationId, carId));
      })
      // the row stays as it was
      .catch(() => {});
    return () => {
      isGone = true;
      setStatus(null);
    };
  }, [hasLeft]);
  return status;
}

/** From the lists: they hold no personal data, and to read one is no access to a closed reservation. */
async function finalStatus(reservationId: number, carId: number | null): Promise<number | null> {
  for (const query of [{ q: String(reservationId) }, { closed: 'true', ...(carId !== null && { carId }) }]) {
    const { items } = (await send(endpoints.reservations, { query })).body;
    const code = items.find((one) => one.reservationId === reservationId)?.status.code ?? null;
    // of a long lane it may just be further down
    if (code !== null) return isTerminal(code) ? code : null;
  }
  return null;
}
