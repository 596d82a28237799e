import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Network } from './network.js';

/** The address of a request's sender; undefined where none is known. */
export type SenderOf = (request: Pick<FastifyRequest, 'raw' | 'headers'>) => string | undefined;

/**
 * The sender is the peer; where that is a known proxy, it is the last address of `X-Forwarded-For` that is no proxy. Any
 * client could have written the addresses further left.
 */
export function createSenderOf(proxies: readonly Network[]): SenderOf {
  const known = listOf(proxies);
  return ({ raw, headers }) => {
    const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',');
    let sender = parseAddress(raw.socket.remoteAddress);
    for (const hop of forwardedFor.split(',').reverse()) {
      if (sender === undefined || !includes(known, sender)) break;
      if (hop.trim() === '') break;
      sender = parseAddress(hop.trim());
    }
    return sender;
  };
}

export function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
  return list;
}

/** Whether a list holds an address. An IPv4 address that came over an IPv6 socket (`::ffff:1.2.3.4`) is found under either form. */
export function includes(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** An address without port, brackets and zone; undefined where `text` is none. */
export function parseAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const v4WithPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const address = (inBrackets ?? v4WithPort ?? text).replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : address;
}

/** The network that counts as one sender: an IPv6 sender can use every address of a /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(missing).fill('0')].slice(0, 4).join(':');
}
