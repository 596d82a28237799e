/**
 * Callbacks of the reservation are acknowledged and have not reached its workflow: `waiting` for the relay, or given up
 * as a `dead-letter`.
 */
export class ReservationNotReadyError extends Error {
  override readonly name = 'ReservationNotReadyError';
  constructor(readonly why: 'waiting' | 'dead-letter') {
    super(`callbacks of the reservation have not reached it (${why})`);
  }
}

/** The workflow of the reservation was ended before the reservation was closed; `code` states how, e.g. `WORKFLOW_TERMINATED`. */
export class ReservationEndedError extends Error {
  override readonly name = 'ReservationEndedError';
  constructor(readonly code: string) {
    super(`the workflow of the reservation was ended (${code})`);
  }
}
