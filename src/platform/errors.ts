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

/**
 * What can go wrong when Handover calls the platform: the platform's own refusals and what the transport adds.
 * `outcome` says whether the platform may have acted: `not-applied` is certain, `unknown` is not.
 * `retry` says whether the same call may be sent again by itself (for a state-setting call only after
 * the workflow looked at what it knows: L24, L30).
 */
export const callErrors = {
  E011: { retry: false, outcome: 'not-applied' },
  E012: { retry: false, outcome: 'not-applied' },
  INVALID_REQUEST: { retry: false, outcome: 'not-applied' },
  UNAUTHORIZED: { retry: true, outcome: 'not-applied' },
  FORBIDDEN: { retry: true, outcome: 'not-applied' },
  NOT_FOUND: { retry: false, outcome: 'not-applied' },
  ILLEGAL_STATE: { retry: false, outcome: 'not-applied' },
  NO_AVAILABILITY: { retry: false, outcome: 'not-applied' },
  PAYLOAD_TOO_LARGE: { retry: false, outcome: 'not-applied' },
  RATE_LIMITED: { retry: true, outcome: 'not-applied' },
  /** 5xx: the platform may have acted before it failed. */
  INTERNAL: { retry: true, outcome: 'unknown' },
  /** A 4xx whose body carries no code of the list. */
  REFUSED: { retry: false, outcome: 'not-applied' },
  /** 3xx: a redirect is never followed, for the key must not travel. */
  REDIRECTED: { retry: false, outcome: 'not-applied' },
  /** The connection never opened: the request did not leave. */
  UNREACHABLE: { retry: true, outcome: 'not-applied' },
  /** The connection broke after the request left, before a whole answer came. */
  BROKEN: { retry: true, outcome: 'unknown' },
  TIMEOUT: { retry: true, outcome: 'unknown' },
  /** A 2xx whose body does not fit the wire profile. */
  UNREADABLE: { retry: false, outcome: 'unknown' },
  /** Our own check before the request: a field that the profile cannot carry (L61). */
  INVALID_INPUT: { retry: false, outcome: 'not-applied' },
  /** The deployment has no key for the role that this call needs (G26). */
  ROLE_OFF: { retry: false, outcome: 'not-applied' },
  /** The caller gave up (abort signal). */
  ABORTED: { retry: true, outcome: 'unknown' },
} as const satisfies Record<string, { retry: boolean; outcome: 'not-applied' | 'unknown' }>;
export type CallErrorCode = keyof typeof callErrors;

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
  get retry(): boolean {
    return callErrors[this.code].retry;
  }
  get outcome(): 'not-applied' | 'unknown' {
    return callErrors[this.code].outcome;
  }
}
