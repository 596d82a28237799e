import { isLoopback } from './insecure.js';

/** Every form of a host means one: `::0` is `::`, `0` is `0.0.0.0`, `0:0:0:0:0:0:0:1` is `[::1]`. */
function canonical(host: string): string {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return URL.canParse(`http://${bracketed}`) ? new URL(`http://${bracketed}`).hostname : bracketed;
}

/** The host part of a URL that reaches `host` from this machine; one that listens on every address is the loopback. */
function reachableHost(host: string): string {
  const name = canonical(host);
  if (name === '0.0.0.0') return '127.0.0.1';
  return name === '[::]' ? '[::1]' : name;
}

/**
 * The base address under which a process of this machine reaches a server that listens on `host` (HANDOVER_HOST).
 * @param host a name or an address, IPv6 without brackets
 */
export function originOf(host: string, port: number): string {
  return `http://${reachableHost(host)}:${port}`;
}

/** Whether a server that listens on `host` is reached from this machine alone. */
export function isLocalOnly(host: string): boolean {
  return isLoopback(`http://${canonical(host)}`);
}

const thisMachine = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]'];

/** Whether a URL's host, on this machine, leads to a server that listens on `host`. */
export function leadsTo(urlHost: string, host: string): boolean {
  const [given, own] = [canonical(urlHost.replace(/^\[|\]$/g, '')), canonical(host)];
  return given === own || (thisMachine.includes(given) && thisMachine.includes(own));
}
