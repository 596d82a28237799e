import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { message } from '../messages/message.js';
import { Problem } from './problem.js';
import { networkOf, type SenderOf } from './sender.js';

const minute = 60_000;
/**
 * Refused tokens per address and minute; further ones get 429. Many more than a client sends by mistake, or a tester of the API
 * document, and too few to guess a token of 24 characters.
 */
const mostPerMinute = 60;
/** Most addresses that are counted; beyond it the oldest is evicted. */
const mostAddresses = 10_000;

export interface TokenRefusalsOptions {
  log: Pick<Logger, 'warn'>;
  registry: Registry;
  /** The sender of a request behind proxies. */
  senderOf: SenderOf;
  clock?: () => number;
}

/**
 * Counts refused tokens, logs them without the token, and throttles each address. A valid token works at every
 * time: staff who share an address with an attacker are not locked out, and tokens are too long to guess.
 */
export class TokenRefusals {
  private readonly counted = new LRUCache<string, { since: number; refused: number }>({
    max: mostAddresses,
  });
  private readonly total: Counter<'answer'>;
  private readonly clock: () => number;

  constructor(private readonly options: TokenRefusalsOptions) {
    this.clock = options.clock ?? Date.now;
    this.total = new Counter({
      name: 'handover_http_refused_tokens_total',
      help: 'Requests with a token that is none, refused or throttled',
      labelNames: ['answer'],
      registers: [options.registry],
    });
  }

  /** Records that the token of a request was refused. @throws `Problem` TOO_MANY_REFUSED_TOKENS */
  record(request: FastifyRequest): void {
    const from = this.addressOf(request);
    const now = this.clock();
    const refused = this.count(networkOf(from), now);
    if (refused.refused <= mostPerMinute) {
      this.total.inc({ answer: 'refused' });
      const route = request.routeOptions.url;
      this.options.log.warn(
        { code: 'TOKEN_INVALID', from, method: request.method, route },
        'a token was refused',
      );
      return;
    }
    this.total.inc({ answer: 'throttled' });
    if (refused.refused === mostPerMinute + 1) {
      this.options.log.warn(
        { code: 'TOO_MANY_REFUSED_TOKENS', from },
        'refused tokens of an address are throttled',
      );
    }
    throw this.tooMany(refused.since, now);
  }

  /** Before an attempt that costs more than the comparison of a token. @throws `Problem` TOO_MANY_REFUSED_TOKENS */
  check(request: FastifyRequest): void {
    const now = this.clock();
    const known = this.counted.get(networkOf(this.addressOf(request)));
    if (known !== undefined && known.refused >= mostPerMinute && now - known.since < minute)
      throw this.tooMany(known.since, now);
  }

  /** A login failed that its own route logs. */
  countFailed(request: FastifyRequest): void {
    this.count(networkOf(this.addressOf(request)), this.clock());
  }

  private tooMany(since: number, now: number): Problem {
    const seconds = Math.ceil((since + minute - now) / 1000);
    return new Problem('TOO_MANY_REFUSED_TOKENS', message('api.refused-tokens', { most: mostPerMinute }), {
      headers: { 'retry-after': String(Math.max(1, seconds)) },
    });
  }

  private addressOf(request: FastifyRequest): string {
    return this.options.senderOf(request) ?? 'unknown';
  }

  private count(address: string, now: number): { since: number; refused: number } {
    const known = this.counted.get(address);
    if (known !== undefined && now - known.since < minute) {
      known.refused++;
      return known;
    }
    const begun = { since: now, refused: 1 };
    this.counted.set(address, begun);
    return begun;
  }
}
