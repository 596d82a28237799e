import { Webhook } from 'standardwebhooks';
import type { Reservation } from '../../src/platform/model.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { access } from '../target.js';

/** The callbacks of one reservation in a load, in this order. */
export const eventsEach = 4;

export interface LoadCallback {
  path: string;
  body: string;
  reservationId: number;
  /** The reported status. */
  status: number;
}

const { callbacks } = defaultProfile;
const webhook = new Webhook(access.callbackSecret);
const hour = 3_600_000;

/** The callback number `index` of a load. Each reservation has four: two changes on both channels. */
export function callbackAt(firstReservation: number, index: number): LoadCallback {
  const reservationId = firstReservation + Math.floor(index / eventsEach);
  const turn = index % eventsEach;
  const status = turn < 2 ? 5 : 10;
  if (turn % 2 === 1) {
    const body = JSON.stringify(
      callbacks.encode({ kind: 'status', reservationId, reservationStatus: status }),
    );
    return { path: callbacks.paths.status, body, reservationId, status };
  }
  const kind = turn === 0 ? 'registration' : 'update';
  const now = Date.now();
  const body = JSON.stringify(
    callbacks.encode({
      kind,
      reservation: { ...registrationOf(reservationId, now), reservationStatus: status },
    }),
  );
  return { path: callbacks.paths[kind], body, reservationId, status };
}

/** A registered reservation with every field, two days before its pickup. */
export function registrationOf(reservationId: number, now: number): Reservation {
  return {
    reservationId,
    serviceId: 1,
    serviceName: 'bench',
    reservationStatus: 5,
    companyId: 11,
    companyName: 'bench',
    carId: 1001,
    carNumber: '12가3456',
    createdAt: now,
    startAt: now + 48 * hour,
    endAt: now + 52 * hour,
    pickupAddress: '1 Sejong-daero, Jung-gu, Seoul',
    driverName: 'Bench Driver',
    driverBirth: '19900101',
    driverPhone: '01000000000',
    driverLicenseNumber: '00-00-000000-00',
    driverAddress: '1 Sejong-daero, Jung-gu, Seoul',
  };
}

/** The headers of a signed callback. */
export function signed(id: string, body: string): Record<string, string> {
  const at = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': webhook.sign(id, at, body),
  };
}
