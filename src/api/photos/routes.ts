import multipart from '@fastify/multipart';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { ReservationEndedError } from '../../temporal/client/reservations/errors.js';
import { callerOf } from '../http/auth.js';
import { badFields } from '../http/bad-input.js';
import type { Api, RouteContext } from '../http/context.js';
import { actionOutcome, noReservation, refused } from '../http/outcome.js';
import { rendered } from '../http/sentences.js';
import { noteOutcome, performMeasured } from '../reservations/action-metrics.js';
import { actionRoute, commandOf } from '../reservations/action-routes.js';
import { photoActions, photoForm } from '../reservations/command-schemas.js';
import { shownReservation, withPlatformText } from '../reservations/owners.js';
import { readPhotoForm } from './form.js';
import { refuseEarly } from './refusals.js';

/** Not awaited; where it fails, the sweep of photos asks the reservation later. */
function end(upload: Promise<void>): void {
  upload.catch(() => undefined);
}

/** The three staff actions with a photo (G15), in a scope that reads forms and nothing else. */
export async function photoRoutes(api: Api, { deps, requires, sentences }: RouteContext): Promise<void> {
  api.removeAllContentTypeParsers();
  await api.register(multipart);
  // the rest of a form that was answered early: the next request of the connection comes behind it
  api.addHook('onResponse', async ({ raw }) => void raw.resume());

  for (const action of photoActions) {
    const form = photoForm(action);
    const { path, config, schema, links } = actionRoute(action, form.body);
    api.post(
      path,
      {
        config,
        onRequest: requires('staff'),
        // The form is checked while it streams, not before.
        validatorCompiler: (part) =>
          part.httpPart === 'body' ? () => true : validatorCompiler(part as never),
        schema: { ...schema, consumes: ['multipart/form-data'] },
        links,
      },
      async (request, reply) => {
        const { id } = request.params;
        const commandId = request.headers['idempotency-key'];
        const recent = deps.reservations.recentView(id);
        // only the reservation itself refuses: the view that was read before may be out of date
        if (recent === undefined || refuseEarly(recent, action, commandId) !== null) {
          const view = await deps.reservations.view(id);
          if (view === undefined) {
            noteOutcome(request, 'no-reservation');
            throw noReservation(id);
          }
          const refusal = refuseEarly(view, action, commandId);
          if (refusal !== null) {
            noteOutcome(request, 'refused');
            throw refused(refusal);
          }
        }
        const use = { reservationId: id, commandId };
        const { upload, fields } = await readPhotoForm(request, deps.photos, use);
        const read = form.fields.safeParse(fields);
        if (!read.success) throw badFields(read.error);
        const command = commandOf(request, action, read.data, upload.photo);
        const sent = performMeasured(request, deps.reservations, { id, command });
        const answer = await sent.catch((error) => {
          if (error instanceof ReservationEndedError) end(upload.remove());
          throw error;
        });
        if (answer.kind !== 'answered') end(upload.remove());
        // of a closed one the sweep decides: another process may have erased its photos a moment ago
        else if (!answer.reservation.closed) end(upload.retain());
        const { status, body } = actionOutcome(id, answer);
        const render = sentences(reply);
        return status === 200
          ? reply.code(200).send(await shownReservation(deps, callerOf(request), body, render))
          : reply.code(202).send(rendered(withPlatformText(body), render));
      },
    );
  }
}
