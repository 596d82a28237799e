import { FormData } from 'undici';
import { z } from 'zod';
import { PlatformCallError } from '../errors.js';
import type { Photo } from '../model.js';
import type { Operation, PhotoBody } from '../profile.js';

/** Arguments of an operation. */
export interface Input<Params, Query, Body> {
  params: Params;
  query: Query;
  body?: Body;
  photo?: Photo;
}

/** A request as it is sent, without base address and key. */
export interface WireRequest {
  method: string;
  /** Path and query. */
  target: string;
  contentType?: string;
  body?: string | FormData;
}

/**
 * Encodes a call by the wire profile.
 *
 * @throws PlatformCallError INVALID_INPUT with the paths that do not fit, never with their values
 */
export function wireRequest<P, Q, B, O>(
  name: string,
  operation: Operation<P, Q, B, O>,
  input: Input<P, Q, B>,
): WireRequest {
  try {
    const params = z.encode(operation.params, input.params);
    const query = new URLSearchParams(z.encode(operation.query, input.query)).toString();
    const path = operation.path.replace(/\{(\w+)\}/g, (_all, key: string) => encodeURIComponent(params[key]));
    const target = query ? `${path}?${query}` : path;
    return { method: operation.method, target, ...wireBody(operation.body, input) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const places = error.issues.map(({ path, message }) => `${path.join('.') || 'the value'}: ${message}`);
    throw new PlatformCallError('INVALID_INPUT', `${name} not sent: ${places.join('; ')}`, {
      operation: name,
    });
  }
}

function wireBody<B>(
  body: Operation<never, never, B, never>['body'],
  input: Input<unknown, unknown, B>,
): Pick<WireRequest, 'contentType' | 'body'> {
  switch (body.kind) {
    case 'none':
      return {};
    case 'json':
      return {
        contentType: 'application/json',
        body: JSON.stringify(z.encode(body.schema, input.body as B)),
      };
    case 'photo':
      return { body: photoForm(body, z.encode(body.fields, input.body ?? ({} as B)), input.photo) };
  }
}

/** `multipart/form-data` from bytes in memory, so that undici sends its length (G15). */
function photoForm<B>(
  body: PhotoBody<B>,
  fields: Record<string, string>,
  photo: Photo | undefined,
): FormData {
  const { bytes, type } = sendable(body).parse({ photo }).photo;
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append(body.fileField, new Blob([bytes], { type }), `photo.${type.slice('image/'.length)}`);
  return form;
}

function sendable({ types, maxBytes }: Pick<PhotoBody<unknown>, 'types' | 'maxBytes'>) {
  const bytes = z
    .instanceof(Uint8Array<ArrayBuffer>)
    .refine(({ length }) => length > 0 && length <= maxBytes, `expected 1 to ${maxBytes} bytes`);
  return z.object({ photo: z.object({ type: z.enum(types), bytes }) });
}
