import { asc, eq } from 'drizzle-orm';
import type { Sandbox } from '../context.js';
import type { ReservationRow } from '../store/reservations.js';
import { callbacks, reservationPhotos, schedules } from '../store/schema.js';
import { toReservation } from './present.js';

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Everything the platform knows of one reservation, instants in ISO 8601 UTC: for tests and for persons. */
export async function describeReservation({ db, publicUrl }: Sandbox, row: ReservationRow) {
  const { reservationId } = row;
  const [schedule] = await db.select().from(schedules).where(eq(schedules.reservationId, reservationId));
  const uploads = await db
    .select()
    .from(reservationPhotos)
    .where(eq(reservationPhotos.reservationId, reservationId))
    .orderBy(asc(reservationPhotos.at));
  const sent = await db
    .select()
    .from(callbacks)
    .where(eq(callbacks.reservationId, reservationId))
    .orderBy(asc(callbacks.callbackId));
  const reservation = toReservation(row, publicUrl());
  return {
    ...reservation,
    createdAt: iso(row.createdAt),
    startAt: iso(row.startAt),
    endAt: iso(row.endAt),
    drivingStartAt: iso(row.drivingStartAt),
    drivingEndAt: iso(row.drivingEndAt),
    failAt: iso(row.failAt),
    dispatchStaff: row.dispatchStaff,
    recallStaff: row.recallStaff,
    schedule: schedule
      ? {
          scheduleId: schedule.scheduleId,
          carId: schedule.carId,
          startAt: iso(schedule.startAt),
          endAt: iso(schedule.endAt),
        }
      : null,
    moves: row.moves.map((move) => ({ ...move, at: iso(move.at) })),
    photos: uploads.map(({ photoId, step, hash, at }) => ({ photoId, step, hash, at: iso(at) })),
    callbacks: sent.map(({ webhookId, kind, state, attempts, nextAt, lastOutcome }) => ({
      webhookId,
      kind,
      state,
      attempts,
      nextAt: iso(nextAt),
      lastOutcome,
    })),
  };
}
