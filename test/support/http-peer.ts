import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface PeerRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}
type Answer = (response: ServerResponse, request: PeerRequest) => void;

/**
 * A plain HTTP server that answers as it is configured and records each request; gone when the test is over.
 *
 * @returns its base address and the whole requests that reached it so far
 */
export async function httpPeer(answer: Answer): Promise<{ url: string; requests: PeerRequest[] }> {
  const requests: PeerRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks) };
    requests.push(request);
    answer(response, request);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((closed) => server.close(() => closed()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Answers with a status, and a body written as JSON unless it is text already. */
export const answering =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

/** A port on which nothing listens. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((closed) => server.close(() => closed()));
  return `http://127.0.0.1:${port}`;
}

/** Stands between a sender and a receiver: may be down (the sender's connection breaks), or lose an answer. */
export async function startRelayingPeer() {
  let target: string | null = null;
  let losing: string | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (target === null) return void request.socket.destroy();
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'POST',
      headers: headers as Record<string, string>,
      body: Buffer.concat(chunks),
    });
    await answer.arrayBuffer();
    if (losing !== null && request.url?.endsWith(losing)) {
      losing = null;
      return void request.socket.destroy();
    }
    response.writeHead(answer.status).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** @param url null: down */
    leadTo(url: string | null) {
      target = url;
    },
    /** The answer to the next request of that path. */
    loseNext(path: string) {
      losing = path;
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
