import type { Pool } from 'undici';
import { inSpan, type Tracing } from '../../contract/tracing.js';
import { type CallErrorCode, PlatformCallError } from '../errors.js';
import type { Role } from '../model.js';
import type { Operation, WireProfile } from '../profile.js';
import { type Answered, exchange } from './exchange.js';
import { noAnswer, refused } from './refusal.js';
import { type Input, wireRequest } from './request.js';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call as `ABORTED`. */
  signal?: AbortSignal;
  /** Milliseconds, in place of the client's `timeoutMs`. */
  deadlineMs?: number;
  /** Instant (milliseconds since the epoch) by which the call ends; for a list, with all its pages. */
  until?: number;
  /** Instant after which the request is not sent: the call ends as `UNREACHABLE`. */
  leaveBy?: number;
  /** The role whose key is used, where both roles may call the operation (G26). By default the first that has a key. */
  as?: Role;
}

export interface Connection {
  pool: Pool;
  /** Path prefix of the base address, without a trailing slash. */
  prefix: string;
  profile: WireProfile;
  keys: Partial<Record<Role, string>>;
  timeoutMs: number;
  maxResponseBytes: number;
  onCall?: OnCall | undefined;
  tracing?: Tracing | undefined;
}

/** Called after each request. `outcome`: `answered` (2xx), or the code of its error. */
export type OnCall = (call: {
  operation: string;
  outcome: 'answered' | CallErrorCode;
  seconds: number;
}) => void;

/**
 * Checks one call, sends it, and turns every result that is not a 2xx into a PlatformCallError.
 *
 * @returns the 2xx
 */
export async function send<P, Q, B, O>(
  connection: Connection,
  name: string,
  operation: Operation<P, Q, B, O>,
  input: Input<P, Q, B>,
  options: CallOptions,
): Promise<Answered> {
  const began = performance.now();
  const report = (outcome: 'answered' | CallErrorCode) =>
    connection.onCall?.({ operation: name, outcome, seconds: (performance.now() - began) / 1000 });
  try {
    const span = {
      name: `platform ${name}`,
      kind: 'client',
      attributes: { 'http.request.method': operation.method },
    } as const;
    // only what belongs to a trace: the scans of a reconciliation would each be one
    const tracing = connection.tracing?.carrier() && connection.tracing;
    const answered = await inSpan(tracing, span, () =>
      sendChecked(connection, name, operation, input, options),
    );
    report('answered');
    return answered;
  } catch (error) {
    if (error instanceof PlatformCallError) report(error.code);
    throw error;
  }
}

async function sendChecked<P, Q, B, O>(
  connection: Connection,
  name: string,
  operation: Operation<P, Q, B, O>,
  input: Input<P, Q, B>,
  { signal, deadlineMs = connection.timeoutMs, until = Number.POSITIVE_INFINITY, leaveBy, as }: CallOptions,
): Promise<Answered> {
  const key = keyFor(connection, name, operation.roles, as);
  const { method, target, contentType, body } = wireRequest(name, operation, input);
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    ...(contentType && { 'content-type': contentType }),
  };
  const result = await exchange(
    connection.pool,
    { method, path: connection.prefix + target, headers, body: body ?? null },
    {
      deadlineMs: Math.min(deadlineMs, until - Date.now()),
      ...(leaveBy !== undefined && { leaveBy }),
      maxBytes: connection.maxResponseBytes,
      signal,
    },
  );
  if (result.kind === 'unanswered') throw noAnswer(name, result);
  if (result.status >= 300) throw refused(name, connection.profile, result, Date.now());
  return result;
}

/** G26: a call that the platform would refuse because of its role is not sent. */
function keyFor({ keys }: Connection, name: string, roles: readonly Role[], as: Role | undefined): string {
  const allowed = as ? roles.filter((role) => role === as) : roles;
  const key = allowed.map((role) => keys[role]).find((candidate) => candidate !== undefined);
  if (key !== undefined) return key;
  const needed = roles.map((role) => `PLATFORM_${role.toUpperCase()}_API_KEY`).join(' or ');
  const problem = as && !roles.includes(as) ? `is not for the ${as} role` : `needs a key: set ${needed}`;
  throw new PlatformCallError('ROLE_OFF', `${name} ${problem}`, { operation: name });
}
