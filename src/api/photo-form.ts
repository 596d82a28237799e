import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { PhotoError } from '../blobs/photo-check.js';
import { Problem } from '../http/problem.js';
import type { PhotoRef } from '../lifecycle/index.js';
import type { ApiDeps } from './deps.js';
import { photoForm } from './errors.js';

const maxPhotoBytes = 10 * 1024 * 1024;
/** The store counts the photo's bytes itself, and must see the one that is too many. */
const limits = { files: 1, fileSize: maxPhotoBytes + 1, fields: 8, fieldSize: 8 * 1024, parts: 9 };

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
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') fields[part.fieldname] = part.value;
    else photo = await keep(part, photos);
  }
  if (photo === undefined) throw noPhoto();
  return { photo, fields };
}

async function keep({ fieldname, file }: MultipartFile, photos: ApiDeps['photos']): Promise<PhotoRef> {
  if (fieldname !== 'image') throw noPhoto();
  try {
    return await photos.putPhoto(file, maxPhotoBytes);
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error;
    if (error.code === 'PHOTO_TOO_LARGE')
      throw new Problem('PHOTO_TOO_LARGE', 'A photo may hold up to 10 MiB.');
    if (error.code === 'PHOTO_TYPE') throw new Problem('PHOTO_TYPE', 'Send a JPEG, PNG or WebP file.');
    throw noPhoto();
  }
}

function noPhoto(): Problem {
  return new Problem('PHOTO_MISSING', 'Send the photo in the file field `image` of the form.');
}
