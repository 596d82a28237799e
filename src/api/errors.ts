import { DrizzleQueryError } from 'drizzle-orm/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { databaseErrorCode } from '../db/errors.js';
import { Problem, sendProblem } from '../http/problem.js';
import type { Logger } from '../log.js';
import { CodecError } from '../sealing/errors.js';
import { badInput } from './bad-input.js';
import { CursorError, EngineUnavailableError } from './deps.js';

/** Fastify's and its plugins' own refusals, by their code. */
const known: Record<string, () => Problem> = {
  FST_ERR_BAD_URL: () => new Problem('MALFORMED_URL', 'The path holds an escape that is not one.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('BODY_TOO_LARGE', 'A JSON body may hold up to 64 KiB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send `application/json`.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem('BODY_UNREADABLE', 'The body is not as long as Content-Length says.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Problem('MALFORMED_JSON', 'Send the body as one JSON document.'),
  FST_INVALID_MULTIPART_CONTENT_TYPE: () => photoForm(),
  FST_REQ_FILE_TOO_LARGE: () => new Problem('PHOTO_TOO_LARGE', 'A photo may hold up to 10 MiB.'),
  FST_FILES_LIMIT: () => new Problem('INVALID_BODY', 'Send one photo at a time, in the field `image`.'),
  FST_FIELDS_LIMIT: () => new Problem('INVALID_BODY', 'The form has more fields than the action takes.'),
  FST_PARTS_LIMIT: () => new Problem('INVALID_BODY', 'The form has more parts than the action takes.'),
  FST_PROTO_VIOLATION: () => new Problem('INVALID_BODY', 'The form has a field that no action takes.'),
};

export function photoForm(): Problem {
  return new Problem(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send `multipart/form-data` with the photo in the file field `image`.',
  );
}

/** What any error is to the caller: always a problem document, and never a word that we did not write. */
export function problemOf(error: FastifyError): Problem {
  if (error instanceof Problem) return error;
  const refused = badInput(error) ?? known[error.code]?.();
  if (refused !== undefined) return refused;
  if (error instanceof EngineUnavailableError) return engineUnavailable();
  if (error instanceof CodecError) return new Problem(error.code, error.message, { status: 500 });
  if (error instanceof CursorError) {
    return new Problem('INVALID_QUERY', 'cursor: expected nextCursor of an earlier answer to the same query');
  }
  const { statusCode = 500 } = error;
  if (statusCode >= 400 && statusCode < 500) {
    return new Problem('BODY_UNREADABLE', 'The request could not be read.', { status: statusCode });
  }
  if (error instanceof DrizzleQueryError) {
    return new Problem('STORE_UNAVAILABLE', 'The database gave no answer. Ask again in a moment.', {
      headers: { 'retry-after': '2' },
    });
  }
  return new Problem('INTERNAL_ERROR', 'The request failed for a reason of our own; our log says which.');
}

function engineUnavailable(): Problem {
  return new Problem(
    'ENGINE_UNAVAILABLE',
    'The answer did not come in time. Ask again in a moment; a write acts once if it keeps its Idempotency-Key.',
    { headers: { 'retry-after': '2' } },
  );
}

/** Answers an error; only what is our own fault is logged as one. */
export function errorHandler(log: Logger) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { url: route, schema } = request.routeOptions;
    const wantsForm = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && schema?.consumes !== undefined;
    const problem = wantsForm ? photoForm() : problemOf(error);
    if (problem.code === 'STORE_UNAVAILABLE') {
      // never its message: it holds the statement's parameters (L60)
      log.error({ route, code: databaseErrorCode(error) }, 'the database gave no answer');
    } else if (problem.code === 'INTERNAL_ERROR') {
      log.error({ route, error: error.name, stack: error.stack }, 'a request failed');
    } else log.debug({ route, code: problem.code }, 'a request was refused');
    return sendProblem(reply, problem);
  };
}
