// A bare Fastify handler that answers the same bytes, compressed where the request asks for it. Argument: a JSON file with an answer per path.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { host } from '../target.js';

const answers = new Map(Object.entries(JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'))));
const compressed = new Map(
  [...answers].map(([path, answer]) => [path, gzipSync(JSON.stringify(answer))] as const),
);
const app = Fastify();
app.get('/*', async (request, reply) => {
  const { url, headers } = request;
  reply.type('application/json; charset=utf-8');
  if (headers['accept-encoding'] === 'gzip')
    return reply.header('content-encoding', 'gzip').send(compressed.get(url));
  return reply.send(JSON.stringify(answers.get(url)));
});
const url = await app.listen({ host, port: 0 });
process.once('SIGTERM', async () => {
  await app.close();
  process.exit(0);
});
// a Ctrl-C reaches the whole process group, but the bench ends this process
process.on('SIGINT', () => {});
process.stdout.write(`${JSON.stringify({ url })}\n`);
