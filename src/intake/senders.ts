import { BlockList, isIP } from 'node:net';
import type { Network } from '../config.js';

/** Who may send callbacks. */
export interface SenderRules {
  /** Empty: any address. */
  allow: readonly Network[];
  /** Proxies in front of the receiver, whose `X-Forwarded-For` is believed. */
  proxies: readonly Network[];
}

/**
 * Whether a request comes from an address that may send callbacks.
 * @param peer the other end of the connection
 * @param forwardedFor the header `X-Forwarded-For`, to which each proxy appended whom it served
 */
export type SenderCheck = (peer: string | undefined, forwardedFor: string | undefined) => boolean;

/**
 * The sender is the peer; where that is a known proxy, the last address of `X-Forwarded-For` that is none. What stands
 * further left anybody could have written.
 */
export function createSenderCheck({ allow, proxies }: SenderRules): SenderCheck {
  if (allow.length === 0) return () => true;
  const allowed = listOf(allow);
  const known = listOf(proxies);
  return (peer, forwardedFor = '') => {
    let sender = bare(peer);
    for (const hop of forwardedFor.split(',').reverse()) {
      if (sender === undefined || !includes(known, sender)) break;
      if (hop.trim() === '') break;
      sender = bare(hop.trim());
    }
    return sender !== undefined && includes(allowed, sender);
  };
}

function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
  return list;
}

/** An IPv4 address that came over an IPv6 socket (`::ffff:1.2.3.4`) is found under either form. */
function includes(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Without port, brackets and zone; undefined where it is no address. */
function bare(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const v4WithPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const address = (inBrackets ?? v4WithPort ?? text).replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : address;
}
