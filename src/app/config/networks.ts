import { isIP } from 'node:net';
import type { Network } from '../../api/http/network.js';
import { commaSeparated } from './lists.js';

/** Comma-separated CIDR ranges; an address alone is a range of one. */
export const networks = commaSeparated.transform((entries, context): Network[] => {
  const read = entries.map((entry, index) => {
    const network = networkOf(entry);
    if (network === undefined) {
      context.addIssue(
        `entry ${index + 1} is no network; give an address or a range such as 203.0.113.0/24 or 2001:db8::/32`,
      );
    }
    return network;
  });
  return read.filter((network) => network !== undefined);
});

function networkOf(entry: string): Network | undefined {
  const [address = '', length, ...rest] = entry.split('/');
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  if (length !== undefined && !(/^\d{1,3}$/.test(length) && Number(length) <= bits)) return undefined;
  return { address, prefix: length === undefined ? bits : Number(length), family: `ipv${version as 4 | 6}` };
}
