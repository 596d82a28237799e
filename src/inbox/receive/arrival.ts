import { createHash } from 'node:crypto';
import type { EventChannel } from '../../domain/reservation/types.js';
import type { Arrival } from '../../store/callbacks/types.js';
import { withoutCoding } from '../event/content-coding.js';
import { type CallbackWire, readReservationId } from '../event/decode.js';
import type { ContentHashes } from './content-hash.js';

/** The headers stored for an audit. Never an authorisation or a cookie. */
const auditHeaders = [
  'content-type',
  'content-encoding',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'x-forwarded-for',
];
const longestId = 256;

/**
 * Identity and audit facts of an authentic request. The identity is the sender's `webhook-id`; without one, the hash
 * of path and raw bytes. Never throws.
 */
export function toArrival(
  request: {
    channel: EventChannel;
    path: string;
    headers: Readonly<Record<string, string | string[] | undefined>>;
    raw: Buffer;
    receivedAt: number;
    /** Of the request, where it is traced. */
    traceparent?: string | undefined;
  },
  { wire, contentHashes }: { wire: CallbackWire; contentHashes: ContentHashes },
): Arrival {
  const { channel, path, raw, receivedAt, traceparent } = request;
  const hashes = contentHashes(path, raw);
  const body = withoutCoding(raw, joinValues(request.headers['content-encoding']));
  const webhookId = joinValues(request.headers['webhook-id']);
  return {
    identity: webhookId === '' ? 'content' : 'webhook-id',
    eventId: webhookId === '' ? hashes[0] : boundId(webhookId),
    channel,
    path,
    reservationId: body === null ? null : readReservationId(wire, channel, body),
    receivedAt,
    headers: {
      ...Object.fromEntries(
        auditHeaders
          .map((name) => [name, joinValues(request.headers[name]).slice(0, 1024)] as const)
          .filter(([, value]) => value !== ''),
      ),
      // of our own span: by it the relay continues the trace
      ...(traceparent !== undefined && { traceparent }),
    },
    raw,
    contentHashes: hashes,
  };
}

function joinValues(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.join(', ') : (header ?? '')).trim();
}

/** An index entry has a limit: a very long id is stored as its hash. */
function boundId(id: string): string {
  return id.length <= longestId ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`;
}
