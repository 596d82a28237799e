import { originOf } from '../../app/config/address.js';
import type { Config } from '../../app/config/index.js';

/** The address of a port of this machine; undefined: the port is chosen at each start. */
export function originHere({ http }: Pick<Config, 'http'>, port: number): string | undefined {
  return port === 0 ? undefined : originOf(http.host, port);
}
