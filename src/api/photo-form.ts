import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../http/problem.js';
import type { PhotoRef } from '../lifecycle/index.js';
import { type ApiDeps, type PhotoType, photoTypes } from './deps.js';
import { photoForm } from './errors.js';

export const maxPhotoBytes = 10 * 1024 * 1024;

/**
 * Reads the form of a photo action (G15): the photo streams into the store while it arrives, the text fields come
 * back as they are.
 * @throws `Problem` UNSUPPORTED_MEDIA_TYPE, PHOTO_MISSING, PHOTO_TYPE or PHOTO_TOO_LARGE
 */
export async function readPhotoForm(
  request: FastifyRequest,
  photos: ApiDeps['photos'],
): Promise<{ photo: PhotoRef; fields: Record<string, unknown> }> {
  if (!request.isMultipart()) throw photoForm();
  let photo: PhotoRef | undefined;
  const fields: Record<string, unknown> = {};
  const limits = { files: 1, fileSize: maxPhotoBytes, fields: 8, fieldSize: 8 * 1024, parts: 9 };
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') fields[part.fieldname] = part.value;
    else photo = await photos.put({ bytes: bytesOf(part), type: typeOf(part) });
  }
  if (photo === undefined) throw noPhoto();
  return { photo, fields };
}

function typeOf({ fieldname, mimetype }: MultipartFile): PhotoType {
  if (fieldname !== 'image') throw noPhoto();
  const type = photoTypes.find((one) => one === mimetype);
  if (type === undefined) throw new Problem('PHOTO_TYPE', `Send one of ${photoTypes.join(', ')}.`);
  return type;
}

/** The store must never keep half a photo, so one that is cut off or empty ends in a throw. */
async function* bytesOf({ file }: MultipartFile): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of file as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    yield chunk;
  }
  if (file.truncated) throw new Problem('PHOTO_TOO_LARGE', 'A photo may hold up to 10 MiB.');
  if (size === 0) throw noPhoto();
}

function noPhoto(): Problem {
  return new Problem('PHOTO_MISSING', 'Send the photo in the file field `image` of the form.');
}
