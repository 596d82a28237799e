import type { Readable } from 'node:stream';
import { Problem } from '../../api/http/problem.js';
import { largestBody } from '../event/content-coding.js';

export interface BodyLimits {
  /** From the end of the headers to the last byte. */
  withinMs: number;
  /** An incomplete body has to bring `leastBytes` in each such period. */
  paceMs: number;
  leastBytes: number;
  /** Limit of all bodies that are being received. */
  bytesTogether: number;
  /** Limit of the bodies of untrusted senders. */
  bytesOfStrangers: number;
  /** Limit of the bodies of one untrusted sender. */
  bytesEach: number;
}

/** Whose body it is (see `TrustedSenders`). */
export interface BodySender {
  network: string;
  isTrusted: boolean;
}

interface Body {
  sender: BodySender;
  bytes: number;
  refuse(problem: Problem): void;
}

/**
 * Reads the bodies of callbacks, each within a size, pace and time, and all together within `bytesTogether`: a sender that
 * opens many connections and sends slowly costs bounded memory and time. Where untrusted senders exceed their share, the
 * largest body of the one that sends most is refused, so that small bodies of others are still read.
 */
export class BodyReader {
  private held = 0;
  private ofStrangers = 0;
  private readonly ofEach = new Map<string, number>();
  private readonly bodies = new Set<Body>();
  constructor(private readonly limits: BodyLimits) {}

  /**
   * @param announced the header `Content-Length`
   * @throws Problem `BODY_TOO_LARGE`, `REQUEST_TOO_SLOW`, `INTAKE_OVERLOADED`, `BODY_UNREADABLE`
   */
  async read(stream: Readable, announced: string | undefined, sender: BodySender): Promise<Buffer> {
    if (Number(announced) > largestBody) throw tooLarge();
    const { withinMs, paceMs, leastBytes } = this.limits;
    const body: Body = { sender, bytes: 0, refuse: () => {} };
    this.bodies.add(body);
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        const chunks: Buffer[] = [];
        let before = 0;
        const late = setTimeout(() => body.refuse(tooSlow(withinMs)), withinMs);
        const checkPace = () => {
          if (body.bytes - before < leastBytes) body.refuse(tooSlow(withinMs));
          before = body.bytes;
        };
        // after a pause of the event loop, data that has arrived meanwhile is read first
        const pace = setInterval(() => setImmediate(checkPace), paceMs);
        const end = (complete: () => void) => {
          clearTimeout(late);
          clearInterval(pace);
          stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
          complete();
        };
        body.refuse = (problem) => end(() => reject(problem));
        const onData = (chunk: Buffer) => {
          chunks.push(chunk);
          this.count(body, chunk.length);
          if (body.bytes > largestBody) body.refuse(tooLarge());
          else this.enforceBounds(body);
        };
        const onEnd = () => end(() => resolve(Buffer.concat(chunks, body.bytes)));
        const onBroken = () => body.refuse(unreadable());
        stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
      });
    } finally {
      this.forget(body);
    }
  }

  private count(body: Body, bytes: number): void {
    const { network, isTrusted } = body.sender;
    body.bytes += bytes;
    this.held += bytes;
    if (isTrusted) return;
    this.ofStrangers += bytes;
    const ofNetwork = (this.ofEach.get(network) ?? 0) + bytes;
    if (ofNetwork > 0) this.ofEach.set(network, ofNetwork);
    else this.ofEach.delete(network);
  }

  private forget(body: Body): void {
    if (this.bodies.delete(body)) this.count(body, -body.bytes);
  }

  private enforceBounds(newest: Body): void {
    const { bytesTogether, bytesOfStrangers, bytesEach } = this.limits;
    const { network, isTrusted } = newest.sender;
    if (isTrusted) {
      if (this.held > bytesTogether) this.refuse(newest);
    } else if ((this.ofEach.get(network) ?? 0) > bytesEach) this.refuse(this.largestOf(network));
    else if (this.ofStrangers > bytesOfStrangers) this.refuse(this.largestOf(this.busiest(network)));
  }

  /** Refuses a body and releases its bytes. */
  private refuse(body: Body | undefined): void {
    if (body === undefined) return;
    this.forget(body);
    body.refuse(overloaded());
  }

  private busiest(network: string): string {
    let found = network;
    for (const [one, bytes] of this.ofEach) if (bytes > (this.ofEach.get(found) ?? 0)) found = one;
    return found;
  }

  private largestOf(network: string): Body | undefined {
    let found: Body | undefined;
    for (const body of this.bodies) {
      if (body.sender.isTrusted || body.sender.network !== network) continue;
      if (found === undefined || body.bytes > found.bytes) found = body;
    }
    return found;
  }
}

function tooLarge(): Problem {
  return new Problem('BODY_TOO_LARGE', `The body is too large. A callback has ${largestBody} bytes at most.`);
}
function tooSlow(withinMs: number): Problem {
  return new Problem(
    'REQUEST_TOO_SLOW',
    `The callback arrived too slowly. Send it without a pause, and whole within ${withinMs / 1000} s.`,
  );
}
export function unreadable(): Problem {
  return new Problem(
    'BODY_UNREADABLE',
    'The body broke off, or is not as long as Content-Length states. Send it again.',
  );
}
/** The sender repeats the callback after 503 (G34). */
export function overloaded(): Problem {
  return new Problem(
    'INTAKE_OVERLOADED',
    'Too many callbacks are waiting. Send it again after Retry-After.',
    {
      headers: { 'retry-after': '1' },
    },
  );
}
