import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

/** An answer that many get: it is written once, and compressed once, outside of the main thread. */
export class SharedAnswer {
  private compressed: Promise<Buffer> | undefined;
  private readonly plain: Buffer;

  /** @param json its text */
  constructor(json: string) {
    this.plain = Buffer.from(json);
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const vary = ['accept-encoding', reply.getHeader('vary')].filter(Boolean).join(', ');
    reply.type('application/json; charset=utf-8').header('vary', vary);
    const takesGzip = negotiate(request.headers['accept-encoding'] ?? '', ['gzip']) === 'gzip';
    if (!takesGzip) return reply.send(this.plain);
    this.compressed ??= compress(this.plain);
    return reply.header('content-encoding', 'gzip').send(await this.compressed);
  }
}
