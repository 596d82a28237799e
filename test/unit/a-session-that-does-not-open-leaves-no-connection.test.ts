import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openServerSession } from '../../src/store/connection/session.js';

const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

function refusal(): Buffer {
  const fields = Buffer.from('SERROR\0C57014\0Mcancelled\0\0');
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

it('a session whose first statement fails closes its connection', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const closed = once(server, 'connection').then(async ([socket]: Socket[]) => {
    if (socket === undefined) throw new Error('no connection');
    socket.on('error', () => {});
    await once(socket, 'data'); // the start
    socket.write(Buffer.concat([authenticated, ready]));
    await once(socket, 'data'); // the first statement
    socket.write(Buffer.concat([refusal(), ready]));
    socket.resume();
    await once(socket, 'close');
  });
  await expect(openServerSession(`postgres://handover@127.0.0.1:${port}/x`)).rejects.toThrow('cancelled');
  await closed;
});
