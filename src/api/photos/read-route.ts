import { z } from 'zod';
import type { PhotoView, ReservationView } from '../../domain/reservation/index.js';
import { hour } from '../../domain/shared/time.js';
import { PhotoError } from '../../store/photos/photo-check.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { reservationParams } from '../http/fields.js';
import { noReservation } from '../http/outcome.js';
import { Problem } from '../http/problem.js';
import { problems } from '../http/problem-schema.js';
import { expected } from '../messages/expected.js';
import { message } from '../messages/message.js';

const params = reservationParams.extend({
  hash: z.string().regex(/^[0-9a-f]{64}$/, expected('field.photo-hash', {})),
});
const image = { schema: z.file() };

/**
 * GET /api/reservations/{id}/photos/{hash}: a photo that the reservation shows, by no other address. The audit has each person, photo
 * and hour once; without that entry no photo is sent.
 */
export function photoReadRoute(api: Api, { deps, requires }: RouteContext): void {
  const { clock = Date.now } = deps;
  api.get(
    '/api/reservations/:id/photos/:hash',
    {
      onRequest: requires('staff'),
      schema: {
        summary: 'A photo of the reservation',
        tags: ['reservations'],
        params,
        response: {
          200: { content: { 'image/jpeg': image, 'image/png': image, 'image/webp': image } },
          ...problems,
        },
      },
    },
    async (request, reply) => {
      const { id, hash } = request.params;
      const view = await deps.reservations.view(id);
      if (view === undefined) throw noReservation(id);
      const shown = photosOf(view).find(([, photo]) => photo?.hash === hash);
      if (shown?.[1] == null) throw new Problem('PHOTO_NOT_FOUND', message('api.photo-not-shown', {}));
      const [name, photo] = shown;
      const { name: by } = callerOf(request);
      const at = clock();
      await deps.audit.record({
        at,
        by,
        action: 'photo.read',
        subject: `reservation/${id}`,
        reason: null,
        data: { photo: name, hash },
        commandId: ['photo', by, id, hash, Math.floor(at / hour)].join('.'),
      });
      reply.headers({
        // no browser stores it: who logs out leaves no photo behind (L60)
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      return reply.type(photo.type).send((await read(deps.photos.readPhoto(hash, id))) as never);
    },
  );
}

function photosOf({ dispatch, recall }: ReservationView): [string, PhotoView | null][] {
  return [
    ['dispatch.parkingImage', dispatch.parkingImage],
    ['dispatch.carImage', dispatch.carImage],
    ['recall.carImage', recall.carImage],
  ];
}

async function read(photo: Promise<Uint8Array>): Promise<Buffer> {
  try {
    return Buffer.from(await photo);
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error;
    throw new Problem('PHOTO_NOT_FOUND', message('api.photo-lost', {}));
  }
}
