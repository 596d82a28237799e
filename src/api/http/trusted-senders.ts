import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Network } from './network.js';
import { createSenderOf, includes, listOf, networkOf, parseAddress } from './sender.js';

/** How long a sender that authenticated counts as known. */
const rememberMs = 60 * 60_000;
/** Most known senders; beyond it the one that authenticated longest ago is evicted. */
const mostNetworks = 1_000;

export interface TrustedSendersOptions {
  /** Addresses that callbacks are expected from; empty: any. */
  allow: readonly Network[];
  /** Proxies in front, whose `X-Forwarded-For` is believed. */
  proxies: readonly Network[];
  /** Milliseconds of any clock that only goes forward. */
  now?: () => number;
}

export interface Sender {
  /** Undefined: not known. */
  address: string | undefined;
  network: string;
  /** It may send callbacks (CALLBACK_ALLOW). */
  isAllowed: boolean;
  isTrusted: boolean;
}

/**
 * Senders that are served first under overload: those that authenticated within the last hour, and those that are
 * allowed by address. A sender is one address, or one /64 of IPv6.
 */
export class TrustedSenders {
  private readonly proven;
  private readonly senderOf;
  private readonly allowsAny: boolean;
  private readonly allowed;
  private readonly proxies;

  constructor({ allow, proxies, now = () => performance.now() }: TrustedSendersOptions) {
    this.senderOf = createSenderOf(proxies);
    this.allowsAny = allow.length === 0;
    this.allowed = listOf(allow);
    this.proxies = listOf(proxies);
    this.proven = new LRUCache<string, true>({
      max: mostNetworks,
      ttl: rememberMs,
      ttlResolution: 0,
      perf: { now },
    });
  }

  /** The network of a request's sender. */
  of({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): Sender {
    const address = this.senderOf({ raw, headers });
    const isListed = address !== undefined && includes(this.allowed, address);
    const network = address === undefined ? 'unknown' : networkOf(address);
    return {
      address,
      network,
      isAllowed: isListed || this.allowsAny,
      isTrusted: isListed || (address !== undefined && this.isProven(network)),
    };
  }

  /** The network of a connection's peer, which may be a proxy. */
  networkOf(peer: string | undefined): string {
    return networkOf(parseAddress(peer) ?? 'unknown');
  }

  /** By its address alone. One connection of a proxy carries the requests of many senders. */
  isExpected(peer: string | undefined): boolean {
    const address = parseAddress(peer);
    return address !== undefined && (includes(this.allowed, address) || includes(this.proxies, address));
  }

  /** Within the last hour. */
  isProven(network: string): boolean {
    return this.proven.has(network);
  }

  /** A callback of this network was authentic. */
  authenticated(network: string): void {
    this.proven.set(network, true);
  }
}
