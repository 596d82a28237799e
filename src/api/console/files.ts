import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import statics from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../http/problem.js';
import { message } from '../messages/message.js';

/** Addresses of the console's screens; each is the same page, which shows what its address names. */
export const pages = ['/', '/r/*', '/go', '/cars', '/in', '/shift'];

const headers = {
  'content-security-policy': [
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

const missing = 'The console is not part of this build: run `npm run build`, and start Handover again.\n';

/**
 * Serves the console. Names of assets contain a hash of their content, so browsers store them for ever; the page that names
 * them is requested each time.
 * @param folder with `index.html`, `service-worker.js`, `manifest.webmanifest` and `assets/` (each also as `.gz`), as the build makes it
 */
export async function consoleFiles(app: FastifyInstance, folder: string): Promise<void> {
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(headers);
  });
  const assets = join(folder, 'assets');
  const isBuilt = existsSync(join(folder, 'index.html')) && existsSync(assets);
  if (isBuilt)
    await app.register(statics, {
      root: assets,
      prefix: '/assets/',
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
      setHeaders(response, path) {
        const name = basename(path, '.gz');
        if (/\.(?:js|css)$/.test(name)) response.header('sourcemap', `${name}.map`);
      },
    });
  // browsers check their one name for a new build; from the root the scope of the service worker may be any page
  for (const file of ['service-worker.js', 'manifest.webmanifest']) {
    app.get(`/${file}`, { schema: { hide: true } }, async (_, reply) => {
      if (!isBuilt) throw new Problem('ROUTE_NOT_FOUND', message('api.no-console', {}));
      reply.header('cache-control', 'no-cache');
      return reply.sendFile(file, folder, { cacheControl: false });
    });
  }
  for (const url of pages) {
    app.get(url, { schema: { hide: true } }, async (_, reply) => {
      reply.header('cache-control', 'no-cache');
      if (isBuilt) return reply.sendFile('index.html', folder, { cacheControl: false });
      return reply.code(503).type('text/plain; charset=utf-8').send(missing);
    });
  }
}
