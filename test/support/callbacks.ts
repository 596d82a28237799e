import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ReservationEvent } from '../../src/domain/reservation/types.js';
import { type CallbackWire, decodeCallback } from '../../src/inbox/event/decode.js';
import { type IdentifiedRow, normalise } from '../../src/inbox/event/normalise.js';
import type { CallbackKind, Reservation } from '../../src/platform/model.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';

/** The default profile's callbacks. */
export const wire = defaultProfile.callbacks;
export const callbackSecret = `whsec_${Buffer.from('a secret of 24 bytes or more').toString('base64')}`;

/** A registered reservation, complete; instants in milliseconds. */
export function aReservation(reservationId: number, other: Partial<Reservation> = {}): Reservation {
  return {
    reservationId,
    serviceId: 1,
    serviceName: 'service',
    reservationStatus: 5,
    carId: 12,
    carNumber: '12가3456',
    companyId: 7,
    companyName: 'company',
    createdAt: Date.parse('2026-11-20T00:00:00Z'),
    startAt: Date.parse('2026-11-21T00:00:00Z'),
    endAt: Date.parse('2026-11-23T00:00:00Z'),
    pickupAddress: 'address',
    driverName: 'driver',
    driverBirth: '19900101',
    driverPhone: '01012345678',
    driverLicenseNumber: '11-22-333333-44',
    driverAddress: 'address',
    ...other,
  };
}

/** A callback's body as the platform writes it. */
export function reservationBody(kind: 'registration' | 'update', reservation: Reservation): string {
  return JSON.stringify(wire.encode({ kind, reservation }));
}
export function statusBody(reservationId: number, reservationStatus: number): string {
  return JSON.stringify(wire.encode({ kind: 'status', reservationId, reservationStatus }));
}

export interface Sent {
  id?: string;
  secret?: string;
  at?: Date;
  headers?: Record<string, string>;
}

/** The headers of a signed callback. */
export function signedHeaders(body: string, sent: Sent = {}): Record<string, string> {
  const { id = `msg_${randomUUID()}`, secret = callbackSecret, at = new Date() } = sent;
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
    ...sent.headers,
  };
}

/** The same for bytes that need not be text. */
export function signedBytes(
  raw: Buffer,
  { id = `msg_${randomUUID()}`, at = new Date() } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(callbackSecret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

export function pathOf(kind: CallbackKind): string {
  return wire.paths[kind];
}

/** A stored callback as a profile reads it; null where it cannot. */
export function asEvent(
  profile: CallbackWire,
  { raw, ...row }: IdentifiedRow & { raw: Uint8Array },
): ReservationEvent | null {
  const { callback } = decodeCallback(profile, row.channel, raw);
  return callback && normalise(callback, row);
}
