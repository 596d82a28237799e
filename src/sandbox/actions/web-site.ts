import { isDeepStrictEqual } from 'node:util';
import type { BookingRequest, Companion, Instant } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import { assertStatus } from '../core/moves.js';
import { assertBookable, assertEndsAhead } from '../core/period.js';
import { Refusal } from '../core/refusal.js';
import { carOfCompany } from '../store/fleet.js';
import type { ReservationRow } from '../store/reservations.js';
import { changeReservation } from './change.js';

const cause = 'web-site';
const beforeUse = [5, 10, 15];
const live = [5, 10, 15, 20, 25];
const notOver = [...live, 30];

/**
 * Extends, shortens or shifts a reservation. The start is fixed once the car is in use; at 25 the status stays (G44).
 * @throws `Refusal` NOT_FOUND, ILLEGAL_STATE, INVALID_REQUEST, E011 when another schedule of the car is in the way
 */
export function changePeriod(
  sandbox: Sandbox,
  reservationId: number,
  period: { startAt?: Instant; endAt?: Instant },
): Promise<ReservationRow> {
  return changeReservation(sandbox, {
    reservationId,
    cause,
    decide: (row, now) => {
      assertStatus(row.status, period.startAt === undefined ? live : beforeUse);
      const { startAt = row.startAt, endAt = row.endAt } = period;
      if (startAt === row.startAt) assertEndsAhead({ startAt, endAt }, now);
      else assertBookable({ startAt, endAt }, now);
      if (startAt === row.startAt && endAt === row.endAt) return null;
      return { set: { startAt, endAt }, schedule: { startAt, endAt }, happening: 'period' };
    },
  });
}

/**
 * Gives the reservation another car of the same company, before it is in use.
 * @throws `Refusal` NOT_FOUND, ILLEGAL_STATE, E011 when the car is occupied in the period
 */
export function changeCar(sandbox: Sandbox, reservationId: number, carId: number): Promise<ReservationRow> {
  return changeReservation(sandbox, {
    reservationId,
    cause,
    decide: async (row, _now, tx) => {
      assertStatus(row.status, beforeUse);
      if (row.carId === carId) return null;
      const car = await carOfCompany(tx, carId, row.companyId);
      if (!car) throw new Refusal('NOT_FOUND', `company ${row.companyId} has no car ${carId}`);
      const { carNumber } = car;
      return { set: { carId, carNumber }, schedule: { carId }, happening: 'car' };
    },
  });
}

/** Registers, replaces or (null) removes the companion. */
export function changeCompanion(
  sandbox: Sandbox,
  reservationId: number,
  companion: Companion | null,
): Promise<ReservationRow> {
  return changeReservation(sandbox, {
    reservationId,
    cause,
    decide: (row) => {
      assertStatus(row.status, live);
      if (isDeepStrictEqual(companion, row.companion)) return null;
      return { set: { companion }, happening: 'driver' };
    },
  });
}

/** What a person edits of a reservation; null takes an optional fact away. */
export interface ReservationDetails {
  driver?: Partial<BookingRequest['driver']>;
  pickupAddress?: string;
  pickupMemo?: string | null;
  parkingMemo?: string | null;
  parkingLotType?: 0 | 1 | null;
}

const parkingFacts = ['parkingMemo', 'parkingLotType'];

/**
 * Edits a reservation's details until it is over. A change is reported as a change of the driver, or of the parking
 * facts where nothing else changed (G31); an edit that changes nothing sends no callback.
 * @throws `Refusal` NOT_FOUND, ILLEGAL_STATE
 */
export function changeDetails(
  sandbox: Sandbox,
  reservationId: number,
  { driver, ...facts }: ReservationDetails,
): Promise<ReservationRow> {
  return changeReservation(sandbox, {
    reservationId,
    cause,
    decide: (row) => {
      assertStatus(row.status, notOver);
      const wanted = { ...facts, ...(driver && { driver: { ...row.driver, ...driver } }) };
      const changed = Object.entries(wanted).filter(
        ([field, value]) => !isDeepStrictEqual(row[field as keyof typeof wanted], value),
      );
      if (changed.length === 0) return null;
      const parking = changed.every(([field]) => parkingFacts.includes(field));
      return { set: Object.fromEntries(changed), happening: parking ? 'parking' : 'driver' };
    },
  });
}
