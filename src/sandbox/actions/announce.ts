import type { Instant } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import { emission, type Happening } from '../core/emission.js';
import { type CallbackRow, emit } from '../store/outbox.js';
import type { ReservationRow } from '../store/reservations.js';
import type { Executor } from '../store/store.js';
import { toReservation } from './present.js';

/**
 * Writes the callbacks of a change into the outbox, in the transaction of the change: payloads show the state at their
 * emission. Without a receiver they are stored and not sent (G36).
 */
export function announce(
  sandbox: Sandbox,
  tx: Executor,
  change: { happening: Happening; after: ReservationRow; now: Instant; previousCarId?: number | undefined },
): Promise<CallbackRow[]> {
  const { profile, dispatcher } = sandbox;
  const { after, now } = change;
  const reservation = toReservation(after, sandbox.publicUrl());
  const state = dispatcher.hasTarget() ? 'waiting' : 'kept';
  return emit(
    tx,
    emission(profile.behaviour, change.happening, reservation, now, change.previousCarId).map((callback) => ({
      webhookId: `msg_${sandbox.newId()}`,
      reservationId: after.reservationId,
      kind: callback.kind,
      payload: JSON.stringify(profile.callbacks.encode(callback)),
      emittedAt: now,
      state,
    })),
  );
}
