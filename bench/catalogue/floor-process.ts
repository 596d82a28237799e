// A bare Fastify handler that answers the same bytes. Argument: a JSON file with an answer per path.
import { readFile } from 'node:fs/promises';
import Fastify from 'fastify';
import { host } from '../target.js';

const answers = new Map(Object.entries(JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'))));
const app = Fastify();
app.get('/*', async (request, reply) => {
  const answer = answers.get(request.url);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
});
const url = await app.listen({ host, port: 0 });
process.once('SIGTERM', async () => {
  await app.close();
  process.exit(0);
});
// a Ctrl-C reaches the whole process group, but the bench ends this process
process.on('SIGINT', () => {});
process.stdout.write(`${JSON.stringify({ url })}\n`);
