import { type CallErrorCode, PlatformCallError } from '../errors.js';
import type { WireProfile } from '../profile.js';
import type { Answered, Cut, Unanswered } from './exchange.js';
import { parseJson } from './read-wire.js';
import { retryAfterMs } from './retry-after.js';

/** What ended an exchange, once the request had left. */
const cuts: Record<Cut, CallErrorCode> = {
  deadline: 'TIMEOUT',
  aborted: 'ABORTED',
  broken: 'BROKEN',
  'too-large': 'UNREADABLE',
};

/** What a status alone says, where no body tells more. */
const byStatus: Record<number, CallErrorCode> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  /** The peer gave up waiting for the request: how much of it arrived is not known. */
  408: 'TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
};

/** The error for an exchange without an answer. */
export function noAnswer(operation: string, { sent, cut }: Unanswered): PlatformCallError {
  const code = sent || cut === 'aborted' ? cuts[cut] : 'UNREACHABLE';
  return new PlatformCallError(code, `${operation}: ${said[code] ?? code}`, { operation });
}

/** The error for a 2xx whose body is not whole. */
export function cutAnswer(operation: string, status: number, cut: Cut): PlatformCallError {
  const code = cuts[cut];
  return new PlatformCallError(code, `${operation}: ${said[code]}`, { operation, httpStatus: status });
}

/** The error for an answer that is no 2xx. The platform's own message stays out: it may name a person (L60). */
export function refused(
  operation: string,
  profile: WireProfile,
  { status, headers, body, cut }: Answered,
  now: number,
): PlatformCallError {
  const code = codeOf(profile, status, body, cut);
  const wait = retryAfterMs(headers['retry-after'], now);
  return new PlatformCallError(code, `${operation}: answered with HTTP ${status}, ${code}`, {
    operation,
    httpStatus: status,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

function codeOf(profile: WireProfile, status: number, body: Buffer, cut: Cut | undefined): CallErrorCode {
  if (status < 400) return 'REDIRECTED';
  // Whatever its body claims: a server that failed may have acted first.
  if (status >= 500) return 'INTERNAL';
  const told = cut ? undefined : profile.errors.decode(status, parseJson(body));
  return told?.code ?? byStatus[status] ?? (cut && cut !== 'too-large' ? cuts[cut] : 'REFUSED');
}

const said: Partial<Record<CallErrorCode, string>> = {
  UNREACHABLE: 'the platform could not be reached, the request did not leave',
  BROKEN: 'the connection broke before a whole answer came',
  TIMEOUT: 'no whole answer within the deadline',
  ABORTED: 'given up by the caller',
  UNREADABLE: 'the answer is larger than the limit',
};
