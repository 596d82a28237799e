import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { allowedMethods } from '../../api/http/allowed-methods.js';
import type { WireProfile } from '../../platform/profile.js';
import { Refusal } from '../core/refusal.js';
import { sqlState } from '../store/store.js';

const tooLarge = ['FST_ERR_CTP_BODY_TOO_LARGE', 'FST_REQ_FILE_TOO_LARGE'];
const readable: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'the content type is not supported here',
  FST_ERR_CTP_INVALID_JSON_BODY: 'the body is not valid JSON',
  FST_ERR_BAD_URL: 'the address is not well-formed',
  FST_ERR_MAX_PARAM_LENGTH: 'a part of the path is too long',
};

/** Any error as the coded refusal that goes out. The framework's own messages may quote the input: they stay inside. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const problems = error.validation.map(({ instancePath, message }) => {
      const path = instancePath.slice(1).replaceAll('/', '.');
      return path === '' ? message : `${path}: ${message}`;
    });
    return new Refusal('INVALID_REQUEST', problems.join('; '));
  }
  // only a concurrent deletion breaks a foreign key: every action first reads the rows that it refers to
  if (sqlState(error) === '23503')
    return new Refusal('NOT_FOUND', 'what the request refers to was deleted meanwhile');
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  if (tooLarge.includes(code)) return new Refusal('PAYLOAD_TOO_LARGE', 'the body is larger than allowed');
  if (statusCode >= 400 && statusCode < 500) {
    return new Refusal('INVALID_REQUEST', readable[code] ?? 'the request cannot be read');
  }
  return new Refusal('INTERNAL', 'something went wrong inside the sandbox');
}

/** @param status instead of the one that the profile gives the code */
export function sendRefusal(
  reply: FastifyReply,
  profile: WireProfile,
  refusal: Refusal,
  status?: number,
): FastifyReply {
  const { code, message, retryAfterSeconds } = refusal;
  const wire = profile.errors.encode(
    retryAfterSeconds === undefined ? { code, message } : { code, message, retryAfterSeconds },
  );
  return reply
    .code(status ?? wire.status)
    .headers(wire.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(wire.body);
}

/** Every error leaves through the profile (G25): the route that does not exist and the method it lacks as well. */
export function installErrors(app: FastifyInstance, profile: WireProfile, logger: Logger): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error);
    if (refusal.code === 'INTERNAL') logger.error(failure(error, request), 'sandbox request failed');
    else if (sqlState(error) !== undefined) logger.warn(failure(error, request), 'refused by the database');
    request.sandboxCall.effect = `refused:${refusal.code}`;
    return sendRefusal(reply, profile, refusal);
  });
  const methods = allowedMethods(app);
  app.addHttpMethod('QUERY', { overrideExisting: true });
  app.setNotFoundHandler((request, reply) => {
    const refusal = new Refusal('NOT_FOUND', `there is no ${request.method} under this path; see /docs`);
    request.sandboxCall.effect = 'refused:NOT_FOUND';
    const allowed = methods.of(request.url.split('?', 1)[0] ?? '');
    if (allowed.length === 0) return sendRefusal(reply, profile, refusal);
    return sendRefusal(reply.header('allow', allowed.join(', ')), profile, refusal, 405);
  });
}

/** Where it failed, without messages: those of a database driver carry the parameters. */
function failure(error: unknown, request: FastifyRequest): object {
  const { name, stack, cause } = error as Error;
  const frames = stack?.split('\n').filter((line) => line.startsWith('    at '));
  const code = (cause as { code?: unknown } | undefined)?.code ?? (error as { code?: unknown }).code;
  return { route: request.routeOptions.url, error: name, code, frames: frames?.slice(0, 6) };
}
