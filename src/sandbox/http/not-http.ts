import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import type { PlatformCode } from '../../platform/errors.js';
import type { WireProfile } from '../../platform/profile.js';

type Answer = { code: PlatformCode; message: string };

const notHttp: Answer = {
  code: 'INVALID_REQUEST',
  message:
    'this is not well-formed HTTP; expected an address with every character outside ASCII percent-encoded',
};
const known: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: { code: 'PAYLOAD_TOO_LARGE', message: 'the headers are larger than allowed' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'INVALID_REQUEST', message: 'the request did not arrive in time' },
};

/** Refuses bytes that are no HTTP on the connection, as the profile writes it (G25): they never become a request. */
export function refuseWhatIsNotHttp(profile: WireProfile) {
  return ({ code }: ConnectionError, socket: Socket): void => {
    if (code === 'ECONNRESET' || !socket.writable) return;
    const { status, headers, body } = profile.errors.encode(known[code] ?? notHttp);
    const text = JSON.stringify(body);
    const lines = Object.entries({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
  };
}
