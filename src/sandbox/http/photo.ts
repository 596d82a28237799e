import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Photo } from '../../platform/model.js';
import type { PhotoBody } from '../../platform/profile.js';
import { sniff } from '../core/image.js';
import { Refusal } from '../core/refusal.js';

/**
 * Reads a multipart photo with its text fields (G15).
 * @throws `Refusal` INVALID_REQUEST for another content type, no or a second file, bytes that are no image of an
 *   allowed type, bad fields; PAYLOAD_TOO_LARGE above the profile's limit
 */
export async function readPhoto<T>(
  request: FastifyRequest,
  body: PhotoBody<T>,
): Promise<{ photo: Photo; body: T }> {
  if (!request.isMultipart()) {
    throw new Refusal(
      'INVALID_REQUEST',
      `send multipart/form-data with a file in the field ${body.fileField}`,
    );
  }
  const { fields, bytes } = await readParts(request, body);
  if (!bytes) throw new Refusal('INVALID_REQUEST', `the file field ${body.fileField} is missing`);
  const type = sniff(bytes);
  if (type === null || !body.types.includes(type)) {
    throw new Refusal('INVALID_REQUEST', `${body.fileField} must be one of ${body.types.join(', ')}`);
  }
  return { photo: { bytes, type }, body: readFields(body, fields) };
}

function readFields<T>(body: PhotoBody<T>, fields: Record<string, string>): T {
  const read = z.safeDecode(body.fields, fields);
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Refusal('INVALID_REQUEST', problems.join('; '));
  }
  return read.data;
}

/** @throws `Refusal` INVALID_REQUEST for a body that is no whole multipart, or the framework's own 413 */
async function readParts<T>(request: FastifyRequest, { fileField, maxBytes }: PhotoBody<T>) {
  const limits = { fileSize: maxBytes, files: 1, fields: 20, fieldSize: 10_000 };
  const fields: Record<string, string> = {};
  let bytes: Buffer | undefined;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value);
      else if (part.fieldname === fileField) bytes = await part.toBuffer();
      else part.file.resume();
    }
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== undefined) throw error;
    throw new Refusal('INVALID_REQUEST', 'the multipart body cannot be read');
  }
  return { fields, bytes };
}
