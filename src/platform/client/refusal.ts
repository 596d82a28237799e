import { PlatformCallError } from '../errors.js';
import type { WireProfile } from '../profile.js';
import { codeTexts } from './code-texts.js';
import type { Answered, Cut, Unanswered } from './exchange.js';
import { parseJson } from './read-wire.js';
import { retryAfterMs } from './retry-after.js';

type Code = keyof typeof codeTexts;

/** The error code of an exchange that ended after the request was sent. */
const cuts: Record<Cut, Code> = {
  deadline: 'TIMEOUT',
  aborted: 'ABORTED',
  broken: 'BROKEN',
  'too-large': 'UNREADABLE',
};

/** The error code of an HTTP status, used where the body has no code. */
const byStatus: Record<number, Code> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  /** The platform stopped waiting for the request. How much of it arrived is not known. */
  408: 'TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
};

/** The error for an exchange without an answer. */
export function noAnswer(operation: string, { sent, cut }: Unanswered): PlatformCallError {
  const code = sent || cut === 'aborted' ? cuts[cut] : 'UNREACHABLE';
  return new PlatformCallError(code, `${operation}: ${codeTexts[code]}`, { operation });
}

/** The error for a 2xx whose body is incomplete. */
export function cutAnswer(operation: string, status: number, cut: Cut): PlatformCallError {
  const code = cuts[cut];
  const why = cut === 'too-large' ? 'the answer is larger than the limit' : codeTexts[code];
  return new PlatformCallError(code, `${operation}: ${why}`, { operation, httpStatus: status });
}

/**
 * The error for an answer that is not a 2xx. Its message excludes the platform's own text, which may name a person
 * (L60). Where the profile declares that text free of personal data, it is a separate field.
 */
export function refused(
  operation: string,
  profile: WireProfile,
  { status, headers, body, cut }: Answered,
  now: number,
): PlatformCallError {
  const code = codeOf(profile, status, body, cut);
  const wait = retryAfterMs(headers['retry-after'], now);
  const platformMessage = cut ? undefined : shownText(profile, status, body);
  return new PlatformCallError(code, `${operation}: ${codeTexts[code]} (${code}, HTTP ${status})`, {
    operation,
    httpStatus: status,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(platformMessage === undefined ? {} : { platformMessage }),
  });
}

function codeOf(profile: WireProfile, status: number, body: Buffer, cut: Cut | undefined): Code {
  if (status < 400) return 'REDIRECTED';
  // A 5xx stays unknown whatever its body states: the server may have acted before it failed.
  if (status >= 500) return 'INTERNAL';
  const reportedCode = cut ? undefined : codeOfBody(profile, status, body);
  return reportedCode ?? byStatus[status] ?? (cut && cut !== 'too-large' ? cuts[cut] : 'REFUSED');
}

const mostLetters = 500;

/** One line of text without control characters; undefined where the profile shows no text or throws. */
function shownText({ errors }: WireProfile, status: number, body: Buffer): string | undefined {
  try {
    const text: unknown = errors.shown?.(status, parseJson(body));
    if (typeof text !== 'string') return undefined;
    const line = text
      .slice(0, 4 * mostLetters)
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim();
    return [...line].slice(0, mostLetters).join('') || undefined;
  } catch {
    return undefined;
  }
}

/** Where the profile throws, the code of the HTTP status is used. */
function codeOfBody({ errors }: WireProfile, status: number, body: Buffer): Code | undefined {
  try {
    return errors.decode(status, parseJson(body))?.code;
  } catch {
    return undefined;
  }
}
