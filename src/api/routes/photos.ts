import multipart from '@fastify/multipart';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { badFields } from '../bad-input.js';
import { commandOf } from '../command.js';
import { hopeless } from '../hopeless.js';
import { actOutcome, noReservation, refused } from '../outcome.js';
import { readPhotoForm } from '../photo-form.js';
import { photoFields, photoForms } from '../schemas/commands.js';
import { reservationParams, writeHeaders } from '../schemas/fields.js';
import { problems } from '../schemas/problem.js';
import { command, reservation } from '../schemas/reservation.js';
import type { Api, RouteContext } from './context.js';

type PhotoAction = keyof typeof photoFields;
const summaries: Record<PhotoAction, string> = {
  'dispatch.parkingImage': 'Register the parking photo',
  'dispatch.carImage': 'Register the car photo at dispatch',
  'recall.carImage': 'Register the car photo at recall',
};

/** The three staff actions with a photo (G15), in a scope that reads forms and nothing else. */
export async function photoRoutes(api: Api, { deps, requires }: RouteContext): Promise<void> {
  api.removeAllContentTypeParsers();
  await api.register(multipart);

  for (const action of Object.keys(photoFields) as PhotoAction[]) {
    api.post(
      `/api/reservations/:id/${action.replace('.', '/')}`,
      {
        onRequest: requires('staff'),
        // The form is checked while it streams, not before.
        validatorCompiler: (part) =>
          part.httpPart === 'body' ? () => true : validatorCompiler(part as never),
        schema: {
          summary: summaries[action],
          tags: ['staff actions'],
          consumes: ['multipart/form-data'],
          params: reservationParams,
          headers: writeHeaders,
          body: photoForms[action],
          response: { 200: reservation, 202: command, ...problems },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const view = await deps.reservations.view(id);
        if (view === undefined) throw noReservation(id);
        const refusal = hopeless(view, action, request.headers['idempotency-key']);
        if (refusal !== null) throw refused(refusal);
        const { photo, fields } = await readPhotoForm(request, deps.photos);
        const read = photoFields[action].safeParse(fields);
        if (!read.success) throw badFields(read.error);
        const asked = commandOf(request, action, read.data, photo);
        const { status, body } = actOutcome(id, await deps.reservations.act(id, asked));
        return status === 200 ? reply.code(200).send(body) : reply.code(202).send(body);
      },
    );
  }
}
