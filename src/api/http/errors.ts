import { DrizzleQueryError } from 'drizzle-orm/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DatabaseError, databaseErrorCode } from '../../store/connection/errors.js';
import { CursorError } from '../../store/cursor.js';
import { ListsNotReadyError } from '../../store/reservations/lists-ready.js';
import { CodecError, KeyStoreError } from '../../store/sealing/errors.js';
import {
  ReservationEndedError,
  ReservationNotReadyError,
} from '../../temporal/client/reservations/errors.js';
import { EngineUnavailableError } from '../../temporal/connection/unavailable.js';
import { badInput } from './bad-input.js';
import { Problem, sendProblem } from './problem.js';

/** Fastify's and its plugins' own refusals, by their code. */
const known: Record<string, () => Problem> = {
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new Problem('INVALID_ID', 'The id in the path is too long. Send 256 characters at most.'),
  FST_ERR_BAD_URL: () =>
    new Problem('MALFORMED_URL', 'The path has an invalid percent-escape. Percent-encode the path.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new Problem('BODY_TOO_LARGE', 'The body is too large. Send 64 KiB of JSON at most.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem('UNSUPPORTED_MEDIA_TYPE', 'The content type is not accepted. Send `application/json`.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem(
      'BODY_UNREADABLE',
      'The body is incomplete: its length differs from Content-Length. Send it again.',
    ),
  FST_ERR_CTP_INVALID_JSON_BODY: () =>
    new Problem('MALFORMED_JSON', 'The body is not JSON. Send one JSON document.'),
  FST_INVALID_MULTIPART_CONTENT_TYPE: () => photoForm(),
  FST_REQ_FILE_TOO_LARGE: () =>
    new Problem('PHOTO_TOO_LARGE', 'The photo is too large. Send 10 MiB at most.'),
  FST_FILES_LIMIT: () =>
    new Problem('INVALID_BODY', 'The form has several files. Send one photo, in the field `image`.'),
  FST_FIELDS_LIMIT: () =>
    new Problem('INVALID_BODY', 'The form has too many fields. Send only those of the action.'),
  FST_PARTS_LIMIT: () =>
    new Problem('INVALID_BODY', 'The form has too many parts. Send only those of the action.'),
  FST_PROTO_VIOLATION: () =>
    new Problem('INVALID_BODY', 'The form has a field of a forbidden name. Send only those of the action.'),
};

export function photoForm(): Problem {
  return new Problem(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body is not a form. Send `multipart/form-data` with the photo in the file field `image`.',
  );
}

/** The status API received a callback, but the receiver has a port of its own. */
export function noCallbackHere(): Problem {
  return new Problem(
    'ROUTE_NOT_FOUND',
    'This port accepts no callbacks. Send them to the port CALLBACK_PORT.',
  );
}

/** @param docs whether `/docs` is served */
export function noSuchPath(docs: boolean): Problem {
  const where = docs ? 'listed at /docs' : 'those that docs/ of the project describes';
  return new Problem('ROUTE_NOT_FOUND', `The path does not exist. Those that exist are ${where}.`);
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
  if (error instanceof CursorError) {
    return new Problem(
      'CURSOR_UNKNOWN',
      'The cursor is unknown. Send nextCursor of an earlier answer to the same query, or no cursor.',
    );
  }
  if (error instanceof ListsNotReadyError) {
    return new Problem(
      'LISTS_NOT_READY',
      'The lists are not complete: after an update workers still write them. Repeat the request; a single reservation can be read.',
      { headers: { 'retry-after': '10' } },
    );
  }
  const { statusCode = 500 } = error;
  if (statusCode >= 400 && statusCode < 500) {
    return new Problem(
      'BODY_UNREADABLE',
      'The request could not be read. Check its form, then send it again.',
      { status: statusCode },
    );
  }
  if (
    error instanceof DrizzleQueryError ||
    error instanceof DatabaseError ||
    error instanceof KeyStoreError
  ) {
    return new Problem('STORE_UNAVAILABLE', 'The database gave no answer. Repeat the request.', {
      headers: { 'retry-after': '2' },
    });
  }
  return new Problem('INTERNAL_ERROR', 'Handover has an internal error. Check its log.');
}

const noAnswer =
  'The workflow gives no answer. An operator finds the cause in the alerts about workers and in their log.';
const whyUnavailable: Record<string, string> = {
  NOT_CONNECTED: 'Temporal is not connected; nothing was sent.',
  // its tasks fail
  FAILED_PRECONDITION: noAnswer,
  QUERY_FAILED: noAnswer,
  QUERY_REJECTED: 'The workflow is paused in Temporal. An operator resumes it there.',
};

function engineUnavailable({ code }: EngineUnavailableError): Problem {
  const what = whyUnavailable[code] ?? 'The answer did not come in time.';
  return new Problem(
    'ENGINE_UNAVAILABLE',
    `${what} Repeat the request; a write acts once if it has the same Idempotency-Key.`,
    { headers: { 'retry-after': '2' } },
  );
}

function notReady({ why }: ReservationNotReadyError): Problem {
  if (why === 'waiting') {
    return new Problem(
      'RESERVATION_NOT_READY',
      'The reservation is not ready: its callbacks are stored and have not reached it. Send the same request again in a moment.',
      { headers: { 'retry-after': '2' } },
    );
  }
  return new Problem(
    'RESERVATION_NOT_READY',
    'The reservation accepted no callback: they are dead letters (GET /api/inbox?state=dead). Remove the cause, then replay them.',
    { headers: { 'retry-after': '60' } },
  );
}

function ended({ code }: ReservationEndedError): Problem {
  return new Problem(
    'RESERVATION_ENDED',
    `The reservation's workflow was ended (${code}) before the reservation was closed. Reset it in Temporal, or restart it as a manager with PUT /api/reservations/{id}.`,
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
    } else if (error instanceof CodecError) {
      log.error(
        { route, code: error.code, keyId: error.keyId.slice(0, 64) },
        'a key of CODEC_KEYS is missing or wrong',
      );
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
