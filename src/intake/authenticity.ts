import { createHash, timingSafeEqual } from 'node:crypto';
import { webhookSignature } from '../http/webhook-signature.js';

/** How callbacks prove where they come from; several secrets are all accepted (rotation). */
export interface CallbackAuthentication {
  auth: 'standard-webhooks' | 'bearer' | 'secret-path' | 'none';
  secrets: readonly string[];
}

export interface SignedRequest {
  raw: Buffer;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The first segment of the path, where the mode is `secret-path`. */
  pathSecret?: string;
}

export type AuthenticityFailure =
  | 'SIGNATURE_MISSING'
  | 'SIGNATURE_MISMATCH'
  | 'TIMESTAMP_STALE'
  | 'CALLBACK_UNAUTHORIZED';

/** Standard Webhooks: a captured request is of no use to others for longer. */
const toleranceMs = 5 * 60_000;

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

/** Over the bytes as they came: an authentic body that is no valid UTF-8 is not refused, for that can make a 50 (L63). */
function verifySignature(
  { raw, headers }: SignedRequest,
  secrets: readonly string[],
  now: number,
): AuthenticityFailure | null {
  const id = one(headers['webhook-id']);
  const timestamp = one(headers['webhook-timestamp']);
  const signatures = one(headers['webhook-signature']);
  if (!id || !timestamp || !signatures) return 'SIGNATURE_MISSING';
  if (!/^\d{1,12}$/.test(timestamp)) return 'TIMESTAMP_STALE';
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => signature.slice(3));
  const expected = secrets.map((secret) => webhookSignature(secret, { id, timestamp, raw }));
  // every pair is compared, so that time does not tell which one fitted
  const fits = given.flatMap((one) => expected.map((other) => equal(one, other)));
  if (!fits.includes(true)) return 'SIGNATURE_MISMATCH';
  // last, so that a request of long ago proves a secret and is stored nowhere (F85)
  return Math.abs(now - Number(timestamp) * 1000) > toleranceMs ? 'TIMESTAMP_STALE' : null;
}

function isOneOf(given: string | undefined, secrets: readonly string[]): boolean {
  // of equal length whatever they are: time does not tell how long a secret is
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
