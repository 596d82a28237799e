import { createHash, timingSafeEqual } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CodecError } from '../../store/sealing/errors.js';
import type { ApiDeps, CodecAccess } from '../deps.js';
import type { Api } from '../http/context.js';
import { noSuchPath } from '../http/errors.js';
import { Problem } from '../http/problem.js';
import { recordRead } from '../http/record-read.js';
import type { TokenRefusals } from '../http/token-refusals.js';

const path = '/codec/:token/decode';
/** An event of a history holds 2 MB at most; base64 and JSON come on top. */
const bodyLimit = 4 * 1024 * 1024;
/** In the audit: the token is one for all persons. */
const reader = 'codec endpoint';

/** Payloads as protobuf's JSON form has them. */
const body = z.object({
  payloads: z.array(
    z.object({ metadata: z.record(z.string(), z.base64()).optional(), data: z.base64().optional() }),
  ),
});
type JsonPayload = z.output<typeof body>['payloads'][number];

/**
 * POST /codec/{token}/decode: decrypts payloads for Temporal UI and for the `temporal` command (`--codec-endpoint`). The
 * token is part of the path, because the UI has no login here. Pages of another origin than the UI's are refused. The audit has which
 * reservations, bookings and holds were read, open or over.
 */
export function codecRoute(
  api: Api,
  access: CodecAccess,
  { deps, ...context }: { deps: ApiDeps; refusals: Pick<TokenRefusals, 'record'>; docs: boolean },
): void {
  const options = { onRequest: createAdmission(access, context), schema: { hide: true } };
  api.options(path, options, (_, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, x-namespace',
        'access-control-max-age': '600',
      })
      .send(),
  );
  api.post(
    path,
    { ...options, schema: { hide: true, body }, bodyLimit, errorHandler: tooLarge },
    async (request) => {
      const given = request.body.payloads.map(fromJson);
      const payloads = await access.decode(given).catch(throwAsProblem);
      for (const subject of new Set(given.map(access.subjectOf)))
        if (subject !== undefined) await recordRead(deps, reader, { action: 'codec.read', subject });
      return { payloads: payloads.map(toJson) };
    },
  );
}

/** Checks the token before the body is read: a wrong one gets the same answer as an unknown path. */
function createAdmission(
  { token, uiOrigins }: CodecAccess,
  { refusals, docs }: { refusals: Pick<TokenRefusals, 'record'>; docs: boolean },
) {
  const digest = sha256(token);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { token: given } = request.params as { token: string };
    if (!timingSafeEqual(sha256(given), digest)) {
      refusals.record(request);
      throw noSuchPath(docs);
    }
    // only pages in a browser send it
    const { origin } = request.headers;
    if (origin === undefined) return;
    if (!uiOrigins.includes(origin)) {
      throw new Problem(
        'ORIGIN_NOT_ALLOWED',
        'This page may not decrypt. Open Temporal UI at the address in CODEC_UI_ORIGIN.',
      );
    }
    reply.headers({ 'access-control-allow-origin': origin, vary: 'Origin' });
  };
}

function tooLarge(error: FastifyError): never {
  if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
  throw new Problem('BODY_TOO_LARGE', 'The payloads are too large. Send 4 MiB at a time at most.');
}

function throwAsProblem(error: unknown): never {
  throw error instanceof CodecError ? new Problem(error.code, error.message) : error;
}

function fromJson({ metadata = {}, data = '' }: JsonPayload): Payload {
  const entries = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]);
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data, 'base64') };
}

function toJson({ metadata, data }: Payload): JsonPayload {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]);
  return { metadata: Object.fromEntries(entries), data: base64(data ?? Buffer.alloc(0)) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
