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

/** What can go wrong when Handover calls the platform: the platform's own refusals, and what the transport adds. */
export const callCodes = [
  ...platformCodes,
  /** A 4xx whose body carries no code of the list. */
  'REFUSED',
  /** 3xx: a redirect is never followed, for the key must not travel. */
  'REDIRECTED',
  /** The connection never opened: the request did not leave. */
  'UNREACHABLE',
  /** The connection broke after the request left, before a whole answer came. */
  'BROKEN',
  'TIMEOUT',
  /** A 2xx whose body does not fit the wire profile. */
  'UNREADABLE',
  /** Our own check before the request: a field that the profile cannot carry (L61). */
  'INVALID_INPUT',
  /** The deployment has no key for the role that this call needs (G26). */
  'ROLE_OFF',
  /** The caller gave up (abort signal). */
  'ABORTED',
] as const;
export type CallErrorCode = (typeof callCodes)[number];

/** The platform may have acted: it failed (5xx), or its answer is not known. */
const mayHaveActed: readonly CallErrorCode[] = ['INTERNAL', 'BROKEN', 'TIMEOUT', 'UNREADABLE', 'ABORTED'];

/** A platform that asks for more (a day, by a fault of its own) is asked again after this. */
const longestRetryAfterMs = 5 * 60_000;

/** A refusal as the wire carries it: what a profile's error codec reads and writes (G25). */
export interface WireError {
  code: PlatformCode;
  message: string;
  /** Seconds, from `Retry-After`. */
  retryAfterSeconds?: number;
}

/** The one error that leaves the platform client. The message never holds personal data. */
export class PlatformCallError extends Error {
  override readonly name = 'PlatformCallError';
  constructor(
    readonly code: CallErrorCode,
    message: string,
    readonly details: {
      operation: string;
      httpStatus?: number;
      retryAfterMs?: number;
      /** The platform's own text, where the profile declares it free of personal data: for who sent the command alone. */
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
