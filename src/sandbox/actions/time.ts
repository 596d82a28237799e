import type { Instant } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import { nextTimedMove } from '../core/time-rules.js';
import { dueReservations, nextReservationInstant, type ReservationRow } from '../store/reservations.js';
import { changeReservation } from './change.js';

/** Lets time move the reservations that are due: 25, 45 and 50 (G36, G37), in the order of their instants. */
export async function moveByTime(sandbox: Sandbox): Promise<void> {
  const { behaviour } = sandbox.profile;
  const dueAt = (row: ReservationRow) => nextTimedMove(behaviour, row)?.at ?? row.endAt;
  const due = await dueReservations(sandbox.db, behaviour, sandbox.clock.now());
  for (const { reservationId } of due.sort((a, b) => dueAt(a) - dueAt(b))) {
    await changeReservation(sandbox, {
      reservationId,
      cause: 'time',
      decide: (row, now) => {
        const move = nextTimedMove(behaviour, row);
        return move && move.at <= now ? { to: move.to, happening: 'status' } : null;
      },
    });
  }
}

export function nextTimedInstant(sandbox: Sandbox): Promise<Instant | null> {
  return nextReservationInstant(sandbox.db, sandbox.profile.behaviour);
}
