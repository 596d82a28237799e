import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import type { HttpLimits } from '../../src/api/http/limits.js';
import { createServer } from '../../src/api/http/server.js';
import { createMetrics } from '../../src/app/metrics/process.js';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const createApp = (limits?: Partial<HttpLimits>) =>
  createServer({
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    ...(limits !== undefined && { limits }),
  });

/** A client that has sent `text`, and what it reads. */
async function clientOf(app: FastifyInstance, text: string) {
  const { port } = app.server.address() as { port: number };
  const accepted = once(app.server, 'connection');
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let read = '';
  socket.setEncoding('utf8').on('data', (more: string) => {
    read += more;
  });
  socket.on('error', () => {});
  socket.write(text);
  await accepted;
  return { closed: once(socket, 'close'), read: () => read };
}

it.each([
  ['nothing', ''],
  ['half a header', 'GET / HTTP/1.1\r\nhost: a'],
])('a connection that has sent %s does not keep a server from stopping', async (_, text) => {
  const app = createApp({ stopWithinMs: 2 ** 30 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { closed } = await clientOf(app, text);
  await app.close();
  await closed;
});

it('a request that is being served gets its answer, and then its connection ends', async () => {
  const app = createApp({ stopWithinMs: 2 ** 30 });
  let answer = () => {};
  const asked = new Promise<void>((began) => {
    app.get('/', async () => {
      began();
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { served: true };
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const client = await clientOf(app, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await asked;
  const stopped = app.close();
  await new Promise((resolve) => setImmediate(resolve));
  answer();
  await client.closed;
  await stopped;
  expect(client.read()).toContain('{"served":true}');
});

it('a request whose answer never comes is cut off in time', async () => {
  const app = createApp({ stopWithinMs: 20 });
  const asked = new Promise<void>((began) => {
    app.get('/', () => {
      began();
      return new Promise(() => {});
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const client = await clientOf(app, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await asked;
  await app.close();
  await client.closed;
});
