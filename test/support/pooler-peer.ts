import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * What a connection through a pooler in transaction mode shows of itself, in front of the server at `url`: notifications do not
 * arrive, and at the start the pooler gives a number of its own for the server process.
 */
export async function startPoolerPeer(url: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(url);
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port || 5432), noDelay: true });
    let rest = Buffer.alloc(0);
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      // a type of one byte, then the length of what follows with itself
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const end = 1 + rest.readInt32BE(1);
        const message = rest.subarray(0, end);
        const type = String.fromCharCode(message[0] ?? 0);
        if (type === 'K') message.writeInt32BE(1_999_999_999, 5);
        if (type !== 'A') client.write(Uint8Array.from(message));
        rest = rest.subarray(end);
      }
    });
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
