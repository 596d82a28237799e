import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCallback {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came; undefined for what is no JSON
  body: any;
}

/** A demand channel's receiver: keeps what came, answers as `answer` says (default 204). Null: does not answer. */
export async function startReceiver(
  answer: (callback: ReceivedCallback) => number | null | Promise<number | null> = () => 204,
) {
  const received: ReceivedCallback[] = [];
  const receiver = { answer };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    const callback = { path: request.url ?? '', headers: request.headers, raw, body: parsed(raw) };
    received.push(callback);
    const status = await receiver.answer(callback);
    if (status !== null) response.writeHead(status).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Callbacks of one reservation, in the order of their arrival. */
    of: (id: number) => received.filter((callback) => callback.body?.reservationId === id),
    answerWith(next: typeof answer) {
      receiver.answer = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

/** Undefined for a body that is no JSON. */
function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
