import type { Network } from './network.js';
import { bare, createSenderOf, includes, listOf, networkOf } from './sender.js';

/** A sender that proved itself counts as known for so long. */
const rememberMs = 60 * 60_000;
/** Of those at one time: the one that proved itself longest ago makes room. */
const mostNetworks = 1_000;

export interface TrustedSendersOptions {
  /** Addresses that callbacks are expected from; empty: any. */
  allow: readonly Network[];
  /** Proxies in front, whose `X-Forwarded-For` is believed. */
  proxies: readonly Network[];
  /** Milliseconds of any clock that only goes forward. */
  now?: () => number;
}

/**
 * Who is served first when there is not room for all: senders that authenticated within the last hour, and those that are
 * allowed by address. A sender is one address, or one /64 of IPv6.
 */
export class TrustedSenders {
  private readonly proven = new Map<string, number>();
  private readonly senderOf;
  private readonly allowed;
  private readonly proxies;
  private readonly now: () => number;

  constructor({ allow, proxies, now = () => performance.now() }: TrustedSendersOptions) {
    this.senderOf = createSenderOf(proxies);
    this.allowed = listOf(allow);
    this.proxies = listOf(proxies);
    this.now = now;
  }

  /** @param peer the other end of the connection @param forwardedFor the header `X-Forwarded-For` */
  of(peer: string | undefined, forwardedFor: string | undefined): { network: string; isTrusted: boolean } {
    const sender = this.senderOf(peer, forwardedFor);
    if (sender === undefined) return { network: 'unknown', isTrusted: false };
    const network = networkOf(sender);
    return { network, isTrusted: includes(this.allowed, sender) || this.isProven(network) };
  }

  /** The network of a connection, whoever may send through it. */
  networkOf(peer: string | undefined): string {
    return networkOf(bare(peer) ?? 'unknown');
  }

  /** By its address alone. One connection of a proxy carries the requests of many senders. */
  isExpected(peer: string | undefined): boolean {
    const address = bare(peer);
    return address !== undefined && (includes(this.allowed, address) || includes(this.proxies, address));
  }

  /** Within the last hour. */
  isProven(network: string): boolean {
    const provenAt = this.proven.get(network);
    return provenAt !== undefined && this.now() - provenAt < rememberMs;
  }

  /** A callback of this network was authentic. */
  authenticated(network: string): void {
    this.proven.delete(network);
    const [longestAgo] = this.proven.keys();
    if (this.proven.size >= mostNetworks && longestAgo !== undefined) this.proven.delete(longestAgo);
    this.proven.set(network, this.now());
  }
}
