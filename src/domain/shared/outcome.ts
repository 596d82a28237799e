/**
 * How one request that changes or reads something on the platform ended (L30), from the platform's client to HTTP. Codes
 * and texts are ours and hold nothing personal; `platformMessage` is the platform's own text, for who sent the request.
 * `T` is what an applied request brings.
 */
export type Outcome<T = object> = Ended<T> | HeldBack;

/** How it ended after all waiting. */
export type Ended<T = object> = Applied<T> | Rejected | Unknown;

export type Applied<T> = { outcome: 'applied' } & T;

/** Certainly not done; the same request would be rejected again. */
export interface Rejected {
  outcome: 'rejected';
  code: string;
  message: string;
  platformMessage?: string;
}

/** It may have happened. `message`: why its answer cannot be read; absent: there was none. */
export interface Unknown {
  outcome: 'unknown';
  code: string;
  message?: string;
}

/** Certainly not done, for a reason that passes: it may be sent again. `code`: see `waitsFor`. */
export interface HeldBack {
  outcome: 'held-back';
  code: string;
  retryAfterMs?: number;
  /**
   * This attempt was not recorded before it would have left: the next one has the same id, for an earlier run may have sent it.
   * Absent, as in every answer of 0.3.0: the next one has another id.
   */
  keepsId?: boolean;
}

/** No worker began the attempt in time. */
export const notStartedCode = 'NOT_STARTED';
/** Its worker received it too late, or had no time left for it. */
export const attemptExpiredCode = 'ATTEMPT_EXPIRED';
/** It is of a reset run, and the database cannot record it. */
export const attemptNotRecordedCode = 'ATTEMPT_NOT_RECORDED';
/** The database does not answer whether this run may send the booking. */
export const bookingNotStoredCode = 'BOOKING_NOT_KEPT';
/** The photo store does not answer. */
export const photoStoreAwayCode = 'PHOTO_STORE_UNAVAILABLE';
/** Nothing is sent while the role is known to be suspended. */
export const roleSuspendedCode = 'ROLE_SUSPENDED';
/** Another run may have sent the attempt, before a reset or a failover of the namespace: its outcome is unknown. */
export const runLostCode = 'RUN_LOST';
export const runLost: Readonly<Unknown> = { outcome: 'unknown', code: runLostCode };

/** The platform does not do what is asked for in the reservation's status. */
export const wrongStatusCode = 'ILLEGAL_STATE';

/** What a held-back request waits for. `handover`: Handover itself did not send it. */
export type WaitsFor = 'platform' | 'key' | 'handover';

/** The one list of codes of a request that was held back. */
const heldBackCodes: Readonly<Record<string, WaitsFor>> = {
  RATE_LIMITED: 'platform',
  UNREACHABLE: 'platform',
  UNAUTHORIZED: 'key',
  FORBIDDEN: 'key',
  [roleSuspendedCode]: 'key',
  [notStartedCode]: 'handover',
  [attemptExpiredCode]: 'handover',
  [attemptNotRecordedCode]: 'handover',
  [bookingNotStoredCode]: 'handover',
  [photoStoreAwayCode]: 'handover',
};

/** @returns null for the code of any other outcome */
export function waitsFor(code: string): WaitsFor | null {
  return Object.hasOwn(heldBackCodes, code) ? (heldBackCodes[code] ?? null) : null;
}
