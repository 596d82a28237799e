/**
 * Every refusal of Handover's own HTTP interface: a stable code, its status, and a title for people. The one
 * table; it grows here.
 */
export const problemCodes = {
  BODY_TOO_LARGE: { status: 413, title: 'The body is larger than this path takes' },
  BODY_UNREADABLE: { status: 400, title: 'The body did not arrive whole' },
  SIGNATURE_MISSING: { status: 401, title: 'The callback carries no signature' },
  SIGNATURE_MISMATCH: { status: 401, title: 'The signature does not fit the body' },
  TIMESTAMP_STALE: { status: 401, title: 'The timestamp is too far from now' },
  CALLBACK_UNAUTHORIZED: { status: 401, title: 'The callback is not authorised' },
  INTAKE_OVERLOADED: { status: 503, title: 'Too many callbacks are waiting to be stored' },
  STORE_UNAVAILABLE: { status: 503, title: 'The event could not be stored' },
} as const satisfies Record<string, { status: number; title: string }>;
export type ProblemCode = keyof typeof problemCodes;
