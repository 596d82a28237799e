import { DrizzleQueryError } from 'drizzle-orm/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DatabaseError, databaseErrorCode } from '../../store/connection/errors.js';
import { CursorError } from '../../store/cursor.js';
import { mostFound, TooManyFoundError } from '../../store/erasure/too-many-found.js';
import { PhotoStoreError } from '../../store/photos/answers.js';
import { ListsNotReadyError } from '../../store/reservations/lists-ready.js';
import { CodecError, KeyStoreError } from '../../store/sealing/errors.js';
import {
  ReservationEndedError,
  ReservationNotReadyError,
} from '../../temporal/client/reservations/errors.js';
import { EngineUnavailableError } from '../../temporal/connection/unavailable.js';
import { message } from '../messages/message.js';
import { badInput } from './bad-input.js';
import { Problem, sendProblem } from './problem.js';

/** Fastify's and its plugins' own refusals, by their code. */
const known: Record<string, () => Problem> = {
  FST_ERR_MAX_PARAM_LENGTH: () => new Problem('INVALID_ID', message('api.id-too-long', {})),
  FST_ERR_BAD_URL: () => new Problem('MALFORMED_URL', message('api.bad-escape', {})),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('BODY_TOO_LARGE', message('api.body-too-large', {})),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem('UNSUPPORTED_MEDIA_TYPE', message('api.content-type', {})),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem('BODY_UNREADABLE', message('api.body-incomplete', {})),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Problem('MALFORMED_JSON', message('api.not-json', {})),
  FST_INVALID_MULTIPART_CONTENT_TYPE: () => photoForm(),
  FST_REQ_FILE_TOO_LARGE: () => new Problem('PHOTO_TOO_LARGE', message('api.photo-too-large', {})),
  FST_FILES_LIMIT: () => new Problem('INVALID_BODY', message('api.several-files', {})),
  FST_FIELDS_LIMIT: () => new Problem('INVALID_BODY', message('api.too-many-fields', {})),
  FST_PARTS_LIMIT: () => new Problem('INVALID_BODY', message('api.too-many-parts', {})),
  FST_PROTO_VIOLATION: () => new Problem('INVALID_BODY', message('api.forbidden-field', {})),
};

export function photoForm(): Problem {
  return new Problem('UNSUPPORTED_MEDIA_TYPE', message('api.not-a-form', {}));
}

/** The status API received a callback, but the receiver has a port of its own. */
export function noCallbackHere(): Problem {
  return new Problem('ROUTE_NOT_FOUND', message('api.no-callbacks-here', {}));
}

/** @param docs whether `/docs` is served */
export function noSuchPath(docs: boolean): Problem {
  return new Problem('ROUTE_NOT_FOUND', message('api.no-path', { docs }));
}

/** Any error as the problem document for the caller; never contains text from outside this code. */
export function problemOf(error: FastifyError): Problem {
  if (error instanceof Problem) return error;
  const refused = badInput(error) ?? known[error.code]?.();
  if (refused !== undefined) return refused;
  if (error instanceof EngineUnavailableError) return engineUnavailable(error);
  if (error instanceof ReservationNotReadyError) return notReady(error);
  if (error instanceof ReservationEndedError) return ended(error);
  if (error instanceof CodecError) return new Problem(error.code, error.message, { status: 500 });
  if (error instanceof TooManyFoundError) {
    const { count } = error;
    return new Problem('TOO_MANY_FOUND', message('api.too-many-found', { count, most: mostFound }));
  }
  if (error instanceof CursorError) {
    return new Problem('CURSOR_UNKNOWN', message('api.cursor', {}));
  }
  if (error instanceof ListsNotReadyError) {
    return new Problem('LISTS_NOT_READY', message('api.lists-not-ready', {}), {
      headers: { 'retry-after': '10' },
    });
  }
  const { statusCode = 500 } = error;
  if (statusCode >= 400 && statusCode < 500) {
    return new Problem('BODY_UNREADABLE', message('api.unreadable', {}), { status: statusCode });
  }
  if (
    error instanceof DrizzleQueryError ||
    error instanceof DatabaseError ||
    error instanceof KeyStoreError
  ) {
    return new Problem('STORE_UNAVAILABLE', message('api.store-silent', {}), {
      headers: { 'retry-after': '2' },
    });
  }
  if (error instanceof PhotoStoreError) {
    return new Problem('PHOTO_STORE_UNAVAILABLE', message('api.photo-store-silent', {}), {
      headers: { 'retry-after': '5' },
    });
  }
  return new Problem('INTERNAL_ERROR', message('api.internal', {}));
}

function engineUnavailable({ code }: EngineUnavailableError): Problem {
  return new Problem('ENGINE_UNAVAILABLE', message('api.engine-silent', { code }), {
    headers: { 'retry-after': '2' },
  });
}

function notReady({ why }: ReservationNotReadyError): Problem {
  if (why === 'waiting') {
    return new Problem('RESERVATION_NOT_READY', message('api.callbacks-wait', {}), {
      headers: { 'retry-after': '2' },
    });
  }
  return new Problem('RESERVATION_NOT_READY', message('api.callbacks-dead', {}), {
    headers: { 'retry-after': '60' },
  });
}

function ended({ code }: ReservationEndedError): Problem {
  return new Problem('RESERVATION_ENDED', message('api.reservation-ended', { code }));
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
    } else if (error instanceof CodecError) {
      log.error(
        { route, code: error.code, keyId: error.keyId.slice(0, 64) },
        'a key of CODEC_KEYS is missing or wrong',
      );
    } else if (error instanceof PhotoStoreError) {
      const { name, code = name } = error.cause as NodeJS.ErrnoException;
      log.error({ route, code }, 'the photo store gave no answer');
    } else if (problem.code === 'INTERNAL_ERROR') {
      log.error({ route, error: error.name, stack: error.stack }, 'a request failed');
    } else if (error instanceof EngineUnavailableError && error.code === 'QUERY_FAILED') {
      log.warn(
        { route, code: error.code },
        'a workflow failed a query: the log of the workers has the cause',
      );
    } else log.debug({ route, code: problem.code }, 'a request was refused');
    return sendProblem(reply, problem);
  };
}
