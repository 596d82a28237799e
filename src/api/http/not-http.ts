import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { Problem, problemDocument } from './problem.js';

/** Refuses bytes that are no HTTP on the connection itself, by a problem document like every other refusal. */
export function refuseWhatIsNotHttp({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return;
  const problem = problemOf(code);
  const text = JSON.stringify(problemDocument(problem));
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

function problemOf(code: string): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('HEADERS_TOO_LARGE', 'The headers are too large. Send 16 KiB at most, all together.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('REQUEST_TOO_SLOW', 'The request did not arrive in time. Send it again.');
  }
  return new Problem(
    'NOT_HTTP',
    'This is not well-formed HTTP. Percent-encode every character of the address outside ASCII.',
  );
}
