/** A parsed range of addresses in CIDR notation. */
export interface Network {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}
