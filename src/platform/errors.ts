import { type Applied, type Outcome, waitsFor } from '../domain/shared/outcome.js';

/** The platform's own error codes (specification, Errors; G25). */
export const platformCodes = [
  'E011',
  'E012',
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'ILLEGAL_STATE',
  'NO_AVAILABILITY',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL',
] as const;
export type PlatformCode = (typeof platformCodes)[number];

/** Every error code of a call: the platform's own refusals, and the failures of the transport. */
export const callCodes = [
  ...platformCodes,
  /** A 4xx whose body has none of the codes above. */
  'REFUSED',
  /** 3xx: a redirect is never followed, because the key must not reach another host. */
  'REDIRECTED',
  /** The connection never opened: the request was not sent. */
  'UNREACHABLE',
  /** The connection broke after the request was sent and before the answer was complete. */
  'BROKEN',
  'TIMEOUT',
  /** A 2xx whose body does not fit the wire profile. */
  'UNREADABLE',
  /** Handover's check before the request: the profile cannot encode a field (L61). */
  'INVALID_INPUT',
  /** The deployment has no key for the role that this call needs (G26). */
  'ROLE_OFF',
  /** The caller's abort signal ended the call. */
  'ABORTED',
] as const;
export type CallErrorCode = (typeof callCodes)[number];

/** The platform may have acted: it answered 5xx, or its answer is not known. */
const mayHaveActed: readonly CallErrorCode[] = ['INTERNAL', 'BROKEN', 'TIMEOUT', 'UNREADABLE', 'ABORTED'];

/** Upper limit of a `Retry-After`: a faulty platform may send a whole day. */
const longestRetryAfterMs = 5 * 60_000;

/** A refusal as a profile's error codec reads and writes it (G25). */
export interface WireError {
  code: PlatformCode;
  message: string;
  /** Seconds, from `Retry-After`. */
  retryAfterSeconds?: number;
}

/** The only error that the platform client throws. The message never contains personal data. */
export class PlatformCallError extends Error {
  override readonly name = 'PlatformCallError';
  constructor(
    readonly code: CallErrorCode,
    message: string,
    readonly details: {
      operation: string;
      httpStatus?: number;
      retryAfterMs?: number;
      /** The platform's own text, where the profile declares it free of personal data. Only the sender of the command sees it. */
      platformMessage?: string;
    },
  ) {
    super(message);
  }

  /** How the call ended (L30). */
  get outcome(): Exclude<Outcome, Applied<object>> {
    const { code, message, details } = this;
    const { retryAfterMs, platformMessage } = details;
    if (mayHaveActed.includes(code)) {
      return { outcome: 'unknown', code, ...(code === 'UNREADABLE' && { message }) };
    }
    const reason = waitsFor(code);
    if (reason === null) {
      return {
        outcome: 'rejected',
        code,
        message,
        ...(platformMessage !== undefined && { platformMessage }),
      };
    }
    if (reason === 'key' || retryAfterMs === undefined) return { outcome: 'held-back', code };
    return { outcome: 'held-back', code, retryAfterMs: Math.min(retryAfterMs, longestRetryAfterMs) };
  }
}
