import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, onRequestHookHandler, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ApiDeps } from '../deps.js';
import type { AccessRole } from './access.js';
import type { WriteMoment } from './moments.js';
import type { Render, Reply } from './sentences.js';

/** A Fastify instance whose schemas are zod's. */
export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What every group of routes is given. */
export interface RouteContext {
  deps: ApiDeps;
  write: WriteMoment;
  /** Renders sentences in the caller's language, which the answer's headers state. */
  sentences(reply: Reply): Render;
  /** An `onRequest` hook that lets this role and higher ones through. */
  requires(role: AccessRole): onRequestHookHandler;
}
