import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { PhotoError } from '../../store/photos/photo-check.js';
import type { UploadedPhoto } from '../../store/photos/store.js';
import type { PhotoUse } from '../../store/photos/uploads.js';
import type { ApiDeps } from '../deps.js';
import { photoForm } from '../http/errors.js';
import { Problem } from '../http/problem.js';
import { message } from '../messages/message.js';

const maxPhotoBytes = 10 * 1024 * 1024;
/** One byte more than a photo may have: the store counts the bytes itself and refuses the larger photo. */
const limits = { files: 1, fileSize: maxPhotoBytes + 1, fields: 8, fieldSize: 8 * 1024, parts: 9 };

/**
 * Reads the form of a photo action (G15): the photo streams into the store while it arrives, the text fields come
 * back as they are.
 * @throws `Problem` UNSUPPORTED_MEDIA_TYPE, PHOTO_MISSING, PHOTO_TYPE or PHOTO_TOO_LARGE
 */
export async function readPhotoForm(
  request: FastifyRequest,
  photos: ApiDeps['photos'],
  use: PhotoUse,
): Promise<{ upload: UploadedPhoto; fields: Record<string, unknown> }> {
  const type = request.headers['content-type'] ?? '';
  if (!request.isMultipart() || !/;\s*boundary=/i.test(type)) throw photoForm();
  let upload: UploadedPhoto | undefined;
  const fields: Record<string, unknown> = {};
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') fields[part.fieldname] = part.value;
    else upload = await storePhoto(part, photos, use);
  }
  if (upload === undefined) throw noPhoto();
  return { upload, fields };
}

async function storePhoto(
  { fieldname, file }: MultipartFile,
  photos: ApiDeps['photos'],
  use: PhotoUse,
): Promise<UploadedPhoto> {
  if (fieldname !== 'image') throw noPhoto();
  try {
    return await photos.putPhoto(file, maxPhotoBytes, use);
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error;
    if (error.code === 'PHOTO_TOO_LARGE')
      throw new Problem('PHOTO_TOO_LARGE', message('api.photo-too-large', {}));
    if (error.code === 'PHOTO_TOO_MANY_PIXELS')
      throw new Problem('PHOTO_TOO_MANY_PIXELS', message('api.photo-pixels', {}));
    if (error.code === 'PHOTO_TYPE') throw new Problem('PHOTO_TYPE', message('api.photo-type', {}));
    throw noPhoto();
  }
}

function noPhoto(): Problem {
  return new Problem('PHOTO_MISSING', message('api.photo-missing', {}));
}
