import { connect, type Socket } from 'node:net';

/** A client that writes its own bytes. */
export interface RawConnection {
  socket: Socket;
  write(text: string | Buffer): void;
  /** Everything that came until the other side closed. */
  closed(): Promise<string>;
  /** What came so far. */
  readonly received: string;
}

export async function rawConnection(
  url: string,
  options: { allowHalfOpen?: boolean } = {},
): Promise<RawConnection> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, ...options });
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    received += text;
  });
  socket.on('error', () => {}); // a reset is one way of being closed; `events.once` would take it for a failure
  const close = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), close]);
  return {
    socket,
    write: (text) => void socket.write(text),
    closed: async () => {
      await close;
      return received;
    },
    get received() {
      return received;
    },
  };
}

/** Status and JSON body of the one answer in `text`. */
export function answerIn(text: string): {
  status: number;
  headers: string;
  body: { code?: string } | undefined;
} {
  const [headers = '', body = ''] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1] ?? 0);
  return { status, headers, body: body.startsWith('{') ? JSON.parse(body) : undefined };
}
