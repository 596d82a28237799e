import type { ReservationEvent } from '../../../domain/reservation/types.js';

/**
 * Sends the waiting events of one reservation, in order, to its workflow. `closed`: the workflow has ended, nothing was
 * sent.
 * @param hasCaseFile the reservation is closed, or about to: its workflow is not started (L08)
 * @param withinMs the sender may not send any more after so many milliseconds
 * @param ended how the workflow was ended before the reservation was closed; it is not started either (L08)
 * @throws `EngineUnavailableError` where the engine does not answer; of the key that they are to be encrypted under, `CodecError`
 * where this process lacks it and `KeyStoreError` where the database gives no answer about it: nothing is wrong with the events.
 * Anything else is the events' own fault.
 */
export type SendBatch = (
  reservationId: number,
  events: ReservationEvent[],
  hasCaseFile: boolean,
  withinMs?: number,
  ended?: string | null,
) => Promise<'sent' | 'closed'>;

/** The engine refuses these events. `code` is the gRPC status, or the way in which their workflow ended. */
export class EventsRefusedError extends Error {
  override readonly name = 'EventsRefusedError';
  /** Their reservation accepts no event at all. */
  readonly whicheverEvent: boolean;
  constructor(
    readonly code: string,
    { whicheverEvent = false, ...options }: ErrorOptions & { whicheverEvent?: boolean } = {},
  ) {
    super(`the engine refuses the events (${code})`, options);
    this.whicheverEvent = whicheverEvent;
  }
}
