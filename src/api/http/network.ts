/** A range of addresses in CIDR notation, taken apart. */
export interface Network {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}
