import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export const loopback = '127.0.0.1';

/** Another program listens on the engine's port. The message names the variable to set. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
  constructor(what: string, port: number, variable: string) {
    super(`${what}: port ${port} is in use by another program; set ${variable} to a free port`);
  }
}

/** Below the ports of outgoing connections: one of those could be in use again before the engine listens on it. */
const choice = { from: 20_000, to: 32_000, tries: 100 };

/** A port of `host` on which no process listens at present. */
export async function freePort(host: string = loopback): Promise<number> {
  for (let tried = 0; tried < choice.tries; tried++) {
    const port = await tryListen(randomInt(choice.from, choice.to), host);
    if (port !== undefined) return port;
  }
  throw new Error(`no free port on ${host}`);
}

/**
 * `port` itself where it is free on `host`; for 0 any free port.
 * @throws `PortInUseError`; `Error` where this machine does not have the address
 */
export async function claimPort(
  port: number,
  what: string,
  variable: string,
  host: string = loopback,
): Promise<number> {
  if (port === 0) return freePort(host);
  if ((await tryListen(port, host)) === undefined) throw new PortInUseError(what, port, variable);
  return port;
}

/** Listens on the port for a moment. @returns the port; undefined where it is in use */
function tryListen(port: number, host = loopback): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else if (error.code === 'EACCES') reject(error);
      else reject(new Error(`this machine cannot listen on ${host} (${error.code}); check HANDOVER_HOST`));
    });
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
