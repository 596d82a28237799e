import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BalancerOptions {
  host: string;
  port: number;
  replicas: string[];
  /** The port of a replica for requests of this path. */
  portFor: (path: string) => number;
  /** The path that answers 200 while a replica may get requests. */
  readiness: string;
}

const checkEveryMs = 250;

/**
 * A load balancer as a cluster has one: each request goes to the next ready replica, over a connection of its own. It
 * sends nothing twice: what a replica leaves unanswered is a 502.
 */
export async function startBalancer({ host, port, replicas, portFor, readiness }: BalancerOptions) {
  const ready = new Set<number>();
  const stop = new AbortController();
  let turn = 0;
  const watch = async (index: number) => {
    const url = `http://${replicas[index]}:${portFor(readiness)}${readiness}`;
    const signal = () => AbortSignal.timeout(2_000);
    while (!stop.signal.aborted) {
      const answer = await fetch(url, { signal: signal() }).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.ok) ready.add(index);
      else ready.delete(index);
      await sleep(checkEveryMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  };
  const next = () => {
    const candidates = replicas.filter((_, index) => ready.has(index));
    turn++;
    return candidates[turn % candidates.length];
  };
  const server = createServer((incoming, outgoing) => {
    const replica = next();
    if (replica === undefined) return refuse(outgoing, 503, 'no replica is ready');
    const { method, url: path = '/', headers } = incoming;
    const to = {
      host: replica,
      port: portFor(path),
      method,
      path,
      headers: endToEnd(headers),
      agent: false as const,
    };
    const forwarded = request(to, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => refuse(outgoing, 502, error.message));
    incoming.pipe(forwarded);
  });
  // a request that is sent just when this side closes its connection would be lost: the client closes it alone
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const watching = replicas.map((_, index) => watch(index));
  return {
    /** How many replicas are ready. */
    ready: () => ready.size,
    async close() {
      stop.abort();
      server.closeAllConnections();
      server.close();
      await Promise.all(watching);
    },
  };
}

function refuse(outgoing: ServerResponse, status: number, reason: string): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(status, { 'content-type': 'text/plain' }).end(reason);
}

/** Without what each connection negotiates for itself. */
function endToEnd({ connection, 'keep-alive': _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers;
}
