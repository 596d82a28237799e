import { createHash, timingSafeEqual } from 'node:crypto';
import { webhookSignature } from '../../outbox/webhook-signature.js';

/** How callbacks prove where they come from; several secrets are all accepted (rotation). */
export interface CallbackAuthentication {
  auth: 'standard-webhooks' | 'bearer' | 'secret-path' | 'none';
  secrets: readonly string[];
}

interface SignedHead {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The first segment of the path, where the mode is `secret-path`. */
  pathSecret?: string;
}

export interface SignedRequest extends SignedHead {
  raw: Buffer;
}

export type AuthenticityFailure =
  | 'SIGNATURE_MISSING'
  | 'SIGNATURE_MISMATCH'
  | 'TIMESTAMP_STALE'
  | 'CALLBACK_UNAUTHORIZED';

/** More than any rotation of secrets needs; each signature costs a comparison. */
const mostSignatures = 16;
/** Base64 of a SHA-256. */
const signatureForm = /^v1,[A-Za-z0-9+/]{43}=$/;
/** The body of an old request is read only up to this size: it may prove a secret (F85). */
const smallProof = 64;

/** Standard Webhooks: a captured request can be repeated for this long. */
const toleranceMs = 5 * 60_000;

/** The result of the headers alone. */
export type HeadVerdict =
  /** They prove the sender. */
  | 'proven'
  /** The body has to show it. */
  | 'body decides'
  | AuthenticityFailure;

/** Checks the headers alone, so that no body is read that cannot be authentic (G32). */
export function authenticateHead(
  head: SignedHead,
  authentication: CallbackAuthentication,
  now: number,
): HeadVerdict {
  switch (authentication.auth) {
    case 'none':
      return 'body decides';
    case 'standard-webhooks':
      return verifyHead(head, now) ?? 'body decides';
    default:
      return authenticate({ ...head, raw: Buffer.alloc(0) }, authentication, now) ?? 'proven';
  }
}

function verifyHead({ headers }: SignedHead, now: number): AuthenticityFailure | null {
  const { id, timestamp, signatures } = partsOf(headers);
  if (!id || !timestamp || !signatures) return 'SIGNATURE_MISSING';
  if (!/^\d{1,12}$/.test(timestamp)) return 'TIMESTAMP_STALE';
  const given = signatures.split(' ');
  if (given.length > mostSignatures || !given.some((one) => signatureForm.test(one)))
    return 'SIGNATURE_MISMATCH';
  const length = one(headers['content-length']);
  const isSmall = length !== undefined && Number(length) <= smallProof;
  return isStale(timestamp, now) && !isSmall ? 'TIMESTAMP_STALE' : null;
}

function partsOf(headers: SignedHead['headers']) {
  return {
    id: one(headers['webhook-id']),
    timestamp: one(headers['webhook-timestamp']),
    signatures: one(headers['webhook-signature']),
  };
}

function isStale(timestamp: string, now: number): boolean {
  return Math.abs(now - Number(timestamp) * 1000) > toleranceMs;
}

/**
 * Whether a callback is authentic, from its bytes, headers, the secrets and `now` alone (G32).
 * @returns null when it is, else why not. All comparisons take constant time.
 */
export function authenticate(
  request: SignedRequest,
  { auth, secrets }: CallbackAuthentication,
  now: number,
): AuthenticityFailure | null {
  switch (auth) {
    case 'none':
      return null;
    case 'bearer': {
      const token = /^Bearer +(\S+) *$/i.exec(one(request.headers.authorization) ?? '')?.[1];
      return isOneOf(token, secrets) ? null : 'CALLBACK_UNAUTHORIZED';
    }
    case 'secret-path':
      return isOneOf(request.pathSecret, secrets) ? null : 'CALLBACK_UNAUTHORIZED';
    case 'standard-webhooks':
      return verifySignature(request, secrets, now);
  }
}

/** Over the raw bytes: an authentic body that is no valid UTF-8 is accepted, because a refusal can lead to status 50 (L63). */
function verifySignature(
  { raw, headers }: SignedRequest,
  secrets: readonly string[],
  now: number,
): AuthenticityFailure | null {
  const { id, timestamp, signatures } = partsOf(headers);
  if (!id || !timestamp || !signatures) return 'SIGNATURE_MISSING';
  if (!/^\d{1,12}$/.test(timestamp)) return 'TIMESTAMP_STALE';
  const given = signatures
    .split(' ')
    .slice(0, mostSignatures)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => signature.slice(3));
  const expected = secrets.map((secret) => webhookSignature(secret, { id, timestamp, raw }));
  // compares every pair, so that the time does not reveal which one fitted
  const fits = given.flatMap((one) => expected.map((other) => equal(one, other)));
  if (!fits.includes(true)) return 'SIGNATURE_MISMATCH';
  // checked last: an old request then proves a secret, and is stored nowhere (F85)
  return isStale(timestamp, now) ? 'TIMESTAMP_STALE' : null;
}

function isOneOf(given: string | undefined, secrets: readonly string[]): boolean {
  // hashes have equal lengths, so the time does not reveal how long a secret is
  const digest = sha256(given ?? '');
  const fits = secrets.map((secret) => timingSafeEqual(digest, sha256(secret)));
  return given !== undefined && fits.includes(true);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
