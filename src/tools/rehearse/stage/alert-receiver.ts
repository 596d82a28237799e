import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An alert as operations get it (docs: alerts). */
interface PostedAlert {
  type: string;
  kind: string;
  reservationId?: number;
  subject?: string;
  since: string;
  at: string;
  message: string;
}

export interface AlertReceiver {
  url: string;
  posted: PostedAlert[];
  close(): Promise<void>;
}

/** Receives the posts to ALERT_URL in place of operations' own receiver. */
export async function openAlertReceiver(): Promise<AlertReceiver> {
  const posted: PostedAlert[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      posted.push(JSON.parse(Buffer.concat(parts).toString()));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    posted,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
