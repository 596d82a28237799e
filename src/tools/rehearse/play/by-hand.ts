import { mustSucceed } from '../../player/http.js';
import type { Deed } from '../format/step.js';
import { instantIn, type Scene } from './scene.js';

type Letter = NonNullable<Extract<Deed, { who: 'platform' }>['fault']['sends']>;

/**
 * The platform sends a callback that the story needs and its own rules do not make: another status, an odd period, a
 * body that cannot be read. The rest of it is as in the newest callback that was sent.
 */
export async function sendByHand(scene: Scene, letter: Letter): Promise<void> {
  const { controls, reservationId } = scene;
  const body =
    letter.broken === true
      ? `{"reservationId": ${reservationId}, "reservationSt`
      : await content(scene, letter);
  await mustSucceed(controls)('POST', '/sandbox/callbacks', {
    body: { kind: letter.event, reservationId, body },
  });
}

async function content(scene: Scene, { event, status, start, end }: Letter): Promise<unknown> {
  const { controls, reservationId, product, driver } = scene;
  const { callbacks } = product.setting.profile;
  const { reservationStatus } = (await mustSucceed(controls)('GET', `/sandbox/reservations/${reservationId}`))
    .body;
  if (event === 'status') {
    const told = { reservationId, reservationStatus: status ?? reservationStatus, changedAt: driver.now() };
    return callbacks.encode({ kind: 'status', ...told });
  }
  const { items } = (
    await mustSucceed(controls)(
      'GET',
      `/sandbox/journal?kind=callback&reservationId=${reservationId}&limit=500`,
    )
  ).body;
  const last = items.findLast(
    ({ operation }: { operation: string }) =>
      operation === 'callback:update' || operation === 'callback:registration',
  );
  if (last === undefined) throw new Error('no callback was sent yet, so there is none to take after');
  const told = callbacks.decode('update', last.requestBody);
  if (told.kind !== 'update') throw new Error('an update was expected');
  const reservation = {
    ...told.reservation,
    ...(status !== undefined && { reservationStatus: status }),
    ...(start !== undefined && { startAt: instantIn(scene, start) }),
    ...(end !== undefined && { endAt: instantIn(scene, end) }),
  };
  return callbacks.encode({ kind: event, reservation });
}
