import type { Readable } from 'node:stream';
import { Problem } from '../http/problem.js';
import { largestBody } from './content-coding.js';

export interface BodyLimits {
  /** From the end of the headers to the last byte. */
  withinMs: number;
  /** Of all bodies that are on their way in. */
  bytesTogether: number;
}

/**
 * Reads the bodies of callbacks, each within its size and time and all together within `bytesTogether`: whoever opens many
 * connections and sends slowly costs a bounded memory and a bounded time.
 */
export class BodyReader {
  private held = 0;
  constructor(private readonly limits: BodyLimits) {}

  /**
   * @param announced the header `Content-Length`
   * @throws Problem `BODY_TOO_LARGE`, `REQUEST_TOO_SLOW`, `INTAKE_OVERLOADED`, `BODY_UNREADABLE`
   */
  async read(body: Readable, announced: string | undefined): Promise<Buffer> {
    if (Number(announced) > largestBody) throw tooLarge();
    let mine = 0;
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        const chunks: Buffer[] = [];
        const late = setTimeout(() => end(() => reject(tooSlow(this.limits.withinMs))), this.limits.withinMs);
        const end = (settle: () => void) => {
          clearTimeout(late);
          body.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
          settle();
        };
        const onData = (chunk: Buffer) => {
          mine += chunk.length;
          this.held += chunk.length;
          chunks.push(chunk);
          if (mine > largestBody) end(() => reject(tooLarge()));
          else if (this.held > this.limits.bytesTogether) end(() => reject(overloaded()));
        };
        const onEnd = () => end(() => resolve(Buffer.concat(chunks, mine)));
        const onBroken = () => end(() => reject(broken()));
        body.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
      });
    } finally {
      this.held -= mine;
    }
  }
}

function tooLarge(): Problem {
  return new Problem('BODY_TOO_LARGE', `a callback has ${largestBody} bytes at most`);
}
function tooSlow(withinMs: number): Problem {
  return new Problem('REQUEST_TOO_SLOW', `a callback arrives whole within ${withinMs / 1000} s`);
}
function broken(): Problem {
  return new Problem('BODY_UNREADABLE', 'the body broke off, or is not as long as Content-Length says');
}
/** The sender comes back (G34) where it is told 503. */
export function overloaded(): Problem {
  return new Problem('INTAKE_OVERLOADED', 'nothing is lost: send it again after a second', {
    headers: { 'retry-after': '1' },
  });
}
