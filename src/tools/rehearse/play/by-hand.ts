import { mustSucceed } from '../../player/http.js';
import type { Deed } from '../format/step.js';
import { instantIn, type Scene } from './scene.js';

type SentCallback = NonNullable<Extract<Deed, { who: 'platform' }>['fault']['sends']>;

/**
 * Has the platform send a callback that its own rules would not produce: another status, an odd period, a body that
 * cannot be read. All other fields are copied from the newest callback.
 */
export async function sendByHand(scene: Scene, sent: SentCallback): Promise<void> {
  const { controls, reservationId } = scene;
  const body =
    sent.broken === true
      ? `{"reservationId": ${reservationId}, "reservationSt`
      : await contentOf(scene, sent);
  await mustSucceed(controls)('POST', '/sandbox/callbacks', {
    body: { kind: sent.event, reservationId, body },
  });
}

async function contentOf(scene: Scene, { event, status, start, end }: SentCallback): Promise<unknown> {
  const { controls, reservationId, product, driver } = scene;
  const { callbacks } = product.setting.profile;
  const { reservationStatus } = (await mustSucceed(controls)('GET', `/sandbox/reservations/${reservationId}`))
    .body;
  if (event === 'status') {
    const event = { reservationId, reservationStatus: status ?? reservationStatus, changedAt: driver.now() };
    return callbacks.encode({ kind: 'status', ...event });
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
  const decoded = callbacks.decode('update', last.requestBody);
  if (decoded.kind !== 'update') throw new Error('an update was expected');
  const reservation = {
    ...decoded.reservation,
    ...(status !== undefined && { reservationStatus: status }),
    ...(start !== undefined && { startAt: instantIn(scene, start) }),
    ...(end !== undefined && { endAt: instantIn(scene, end) }),
  };
  return callbacks.encode({ kind: event, reservation });
}
