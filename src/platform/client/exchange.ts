import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** Why an exchange ended before the answer was complete. */
export type Cut = 'deadline' | 'aborted' | 'broken' | 'too-large';

/** No answer. `sent` false: no byte of the request was sent. */
export interface Unanswered {
  kind: 'unanswered';
  sent: boolean;
  cut: Cut;
}

/** At least the head of an answer arrived. `cut` present: its body is incomplete, and `body` is empty. */
export interface Answered {
  kind: 'answered';
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  cut?: Cut;
}

interface Limits {
  /** Milliseconds for the whole exchange: waiting for a connection, sending, head and body. */
  deadlineMs: number;
  /** Instant (milliseconds since the epoch) after which the request is not sent; by default its deadline. */
  leaveBy?: number;
  maxBytes: number;
  signal: AbortSignal | undefined;
}

/**
 * Sends one request and never rejects: the result states how far the exchange came. It uses undici's `dispatch`,
 * because only `dispatch` reports when a request is sent, and because a request that waits for a connection must
 * end at its deadline too.
 */
export function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { deadlineMs, leaveBy = Number.POSITIVE_INFINITY, maxBytes, signal }: Limits,
): Promise<Unanswered | Answered> {
  // compare with the clock: a timer does not fire while the process is frozen
  const leavesBefore = Math.min(leaveBy, Date.now() + deadlineMs);
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: { status: number; headers: IncomingHttpHeaders } | undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    let ended = false;

    const end = (cut?: Cut) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (head)
        resolve({
          kind: 'answered',
          ...head,
          ...(cut ? { cut, body: empty } : { body: Buffer.concat(chunks) }),
        });
      else resolve({ kind: 'unanswered', sent: controller !== undefined, cut: cut ?? 'broken' });
      if (cut) controller?.abort(new Error(cut));
    };
    const abort = () => end('aborted');
    const timer = setTimeout(end, Math.max(deadlineMs, 0), 'deadline');
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) return abort();
    if (Date.now() >= leavesBefore) return end('deadline');

    pool.dispatch(request, {
      onRequestStart: (started) => {
        if (Date.now() >= leavesBefore) end('deadline');
        // The request ended while it waited for a connection. Throwing removes it from the queue and leaves the
        // connection open.
        if (ended) throw new Error('given up');
        controller = started;
      },
      onResponseStart: (_controller, status, headers) => {
        if (status >= 200) head = { status, headers };
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length;
        if (size > maxBytes) end('too-large');
        else chunks.push(chunk);
      },
      onResponseEnd: () => end(),
      onResponseError: () => end('broken'),
    });
  });
}

const empty = Buffer.alloc(0);
