import { isDeepStrictEqual } from 'node:util';
import { asc } from 'drizzle-orm';
import type { Callback, Reservation } from '../../src/platform/model.js';
import type { Behaviour, WireProfile } from '../../src/platform/profile.js';
import { toReservation } from '../../src/sandbox/actions/present.js';
import { callbacks, reservations, schedules } from '../../src/sandbox/store/schema.js';
import type { Executor, SandboxDb } from '../../src/sandbox/store/store.js';

/** What must be true of a sandbox's database whatever was done to it. Gives the broken invariants; none: an empty list. */
export function brokenInvariants(database: SandboxDb, profile: WireProfile): Promise<string[]> {
  // one snapshot: the sandbox may be at work meanwhile
  return database.transaction((db) => brokenIn(db, profile), { isolationLevel: 'repeatable read' });
}

async function brokenIn(db: Executor, profile: WireProfile): Promise<string[]> {
  const broken: string[] = [];
  const all = await db.select().from(reservations).orderBy(asc(reservations.reservationId));
  const slots = await db.select().from(schedules).orderBy(asc(schedules.carId), asc(schedules.startAt));
  const emitted = await db.select().from(callbacks).orderBy(asc(callbacks.callbackId));
  const callbacksOf = new Map<number, CallbackRow[]>();
  for (const row of emitted)
    callbacksOf.set(row.reservationId, [...(callbacksOf.get(row.reservationId) ?? []), row]);

  for (const [index, slot] of slots.entries()) {
    const next = slots[index + 1];
    if (next && next.carId === slot.carId && next.startAt < slot.endAt) {
      broken.push(`car ${slot.carId}: schedules ${slot.scheduleId} and ${next.scheduleId} overlap`);
    }
  }
  for (const row of all) {
    const own = slots.filter((slot) => slot.reservationId === row.reservationId);
    const live = [5, 10, 15, 20, 25, 30].includes(row.status);
    const fits = own.filter(
      (slot) => slot.carId === row.carId && slot.startAt === row.startAt && slot.endAt === row.endAt,
    );
    if (live && (own.length !== 1 || fits.length !== 1)) {
      broken.push(
        `reservation ${row.reservationId} at ${row.status}: ${own.length} schedules, ${fits.length} fit`,
      );
    }
    broken.push(...illegalMoves(profile.behaviour, row));
    broken.push(...untrueCallbacks(profile, row, callbacksOf.get(row.reservationId) ?? []));
  }
  return broken;
}

type CallbackRow = typeof callbacks.$inferSelect;

/**
 * Each payload has the status that held at its emission, statuses are reported in the order in which they came, and the
 * newest payload that carries the whole reservation is the reservation, where the profile reports every status.
 */
function untrueCallbacks(
  profile: WireProfile,
  row: typeof reservations.$inferSelect,
  sentCallbacks: CallbackRow[],
): string[] {
  const broken: string[] = [];
  const name = (callback: CallbackRow) => `reservation ${row.reservationId}: callback ${callback.callbackId}`;
  let reached = 0;
  let newest: Reservation | undefined;
  for (const sent of sentCallbacks) {
    const callback: Callback = profile.callbacks.decode(sent.kind, JSON.parse(sent.payload));
    if (callback.kind === 'car') continue;
    const status =
      'reservation' in callback ? callback.reservation.reservationStatus : callback.reservationStatus;
    const at = row.moves.findIndex(
      (move, index) =>
        index >= reached &&
        move.to === status &&
        move.at <= sent.emittedAt &&
        (row.moves[index + 1]?.at ?? sent.emittedAt) >= sent.emittedAt,
    );
    if (at === -1) broken.push(`${name(sent)} says ${status}, which did not hold at its emission`);
    else reached = at;
    if ('reservation' in callback) newest = callback.reservation as Reservation;
  }
  const { emits } = profile.behaviour;
  const whole = Object.values(emits).every((kinds) =>
    kinds.some((kind) => kind !== 'status' && kind !== 'car'),
  );
  if (whole && !isDeepStrictEqual(elsewhere(newest), elsewhere(toReservation(row, ''))))
    broken.push(`reservation ${row.reservationId}: its newest whole payload is not what it is`);
  return broken;
}

/** Photos are served wherever the sandbox was listening at the time. */
function elsewhere(reservation: Reservation | undefined) {
  const path = reservation?.parkingImageUrl?.replace(/^.*(?=\/photos\/)/, '');
  return { ...reservation, ...(path !== undefined && { parkingImageUrl: path }) };
}

function illegalMoves(behaviour: Behaviour, row: typeof reservations.$inferSelect): string[] {
  const broken: string[] = [];
  let at: number | null = null;
  for (const { from, to } of row.moves) {
    const arrow =
      from === null
        ? to === 5 && at === null
        : behaviour.fromStates[to as keyof Behaviour['fromStates']]?.includes(from);
    if (!arrow || from !== at) broken.push(`reservation ${row.reservationId}: ${from} to ${to}`);
    at = to;
  }
  if (at !== row.status)
    broken.push(`reservation ${row.reservationId} is at ${row.status}, moves end at ${at}`);
  return broken;
}
