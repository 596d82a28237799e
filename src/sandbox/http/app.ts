import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import { readPhoto } from '../store/photos.js';
import { installCallRecord } from './call-record.js';
import type { Authenticate } from './caller.js';
import { registerControls } from './controls/index.js';
import { compileValidator, installDocs } from './docs.js';
import { installErrors, sendRefusal, toRefusal } from './errors.js';
import { refuseWhatIsNotHttp } from './not-http.js';
import { assertStorable, registerOperations } from './operations.js';

const photoPath = z.object({ photoId: z.string().regex(/^[\w-]{1,100}$/, 'expected the id of a photo') });
const shownPhoto = { schema: { params: photoPath } };

export interface AppOptions {
  sandbox: Sandbox;
  authenticate: Authenticate;
  /** The controls require a key unless the sandbox listens on loopback only. */
  controlsNeedKey: boolean;
}

/** The sandbox's HTTP side: the platform's operations, its photos, its documents and the controls. */
export async function createApp({
  sandbox,
  authenticate,
  controlsNeedKey,
}: AppOptions): Promise<FastifyInstance> {
  const { profile, logger } = sandbox;
  const app = Fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: refuseWhatIsNotHttp(profile),
    frameworkErrors: (error, _request, reply) => void sendRefusal(reply, profile, toRefusal(error)),
  });
  // Node's `close` would wait for a connection that sends nothing
  app.addHook('preClose', async () => void setTimeout(() => app.server.closeAllConnections(), 1_000).unref());
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(serializerCompiler);
  readJsonOnly(app);
  installCallRecord(app, sandbox);
  installErrors(app, profile, logger);
  await app.register(multipart);
  await installDocs(app, profile);
  registerOperations(app, sandbox, authenticate);
  app.get('/metrics', { schema: { hide: true } }, async (_, reply) => {
    const { registry } = sandbox.metrics;
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  app.get<{ Params: z.infer<typeof photoPath> }>('/photos/:photoId', shownPhoto, async (request, reply) => {
    const photo = await readPhoto(sandbox.db, request.params.photoId);
    if (!photo) throw new Refusal('NOT_FOUND', 'there is no such photo');
    return reply.type(photo.type).header('x-content-type-options', 'nosniff').send(Buffer.from(photo.bytes));
  });
  await app.register(
    async (scope) => {
      scope.addHook('preHandler', async ({ params, query, body }) => assertStorable({ params, query, body }));
      registerControls(scope, { sandbox, authenticate, controlsNeedKey });
    },
    { prefix: '/sandbox' },
  );
  return app;
}

/** Reads JSON bodies only; an empty body counts as absent under any content type. */
function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.sandboxCall.body = body as string;
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}
