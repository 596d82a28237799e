import type { Preview } from '../../store/erasure/preview.js';
import { recordRead, recordReservationRead } from '../http/record-read.js';

/**
 * Records what a search by a person found, before it is shown: it discloses whose reservations, bookings and holds these were, open
 * ones too. Once an hour for each.
 * @param by who searched @throws what the audit throws: then nothing is shown
 */
export async function recordFound(
  deps: Parameters<typeof recordRead>[0],
  by: string,
  { wouldErase, refused }: Pick<Preview, 'refused'> & Partial<Preview>,
): Promise<void> {
  const named = (found: readonly string[] | undefined, of: readonly (string | undefined)[]) =>
    new Set([...(found ?? []), ...of.flatMap((id) => id ?? [])]);
  const reservations = [
    ...(wouldErase?.reservations ?? []),
    ...refused.flatMap(({ reservationId }) => reservationId ?? []),
  ];
  for (const id of new Set(reservations)) await recordReservationRead(deps, by, id);
  const bookings = refused.map(({ commandId }) => commandId);
  for (const id of named(wouldErase?.bookings, bookings))
    await recordRead(deps, by, { action: 'booking.read', subject: `booking/${id}` });
  const holds = refused.map(({ holdId }) => holdId);
  for (const id of named(wouldErase?.holds, holds))
    await recordRead(deps, by, { action: 'hold.read', subject: `hold/${id}` });
}
