import type { Arrival } from '../../src/store/callbacks/types.js';
import { statusBody, wire } from './callbacks.js';

/** A status webhook as the receiver stores it. @param eventId stands for its content too */
export function statusArrival(
  eventId: string,
  reservationId: number | null,
  changes: Partial<Arrival> = {},
): Arrival {
  return {
    identity: 'webhook-id',
    eventId,
    channel: 'status',
    path: wire.paths.status,
    reservationId,
    receivedAt: 1_000,
    headers: {},
    contentHashes: [eventId],
    raw: Buffer.from(statusBody(reservationId ?? 1, 5)),
    ...changes,
  };
}
