import { createHash } from 'node:crypto';
import { webAddress } from '../../domain/reservation/index.js';
import type { ReservationEvent } from '../../domain/reservation/types.js';
import { canonical } from '../../domain/shared/hash.js';
import type { AnnouncedReservation, Callback } from '../../platform/model.js';
import type { InboxRow } from '../../store/callbacks/types.js';
import { malformedFields } from './malformed.js';

/** What identifies a stored event. */
export type IdentifiedRow = Pick<
  InboxRow,
  'id' | 'identity' | 'eventId' | 'channel' | 'receivedAt' | 'replays'
>;

/** A stored callback as an event of the lifecycle. */
export function normalise(callback: Callback, row: IdentifiedRow): ReservationEvent {
  const content = facts(callback);
  return {
    eventId: identityOf(row),
    inboxId: row.id,
    channel: row.channel,
    receivedAt: row.receivedAt,
    ...(row.replays > 0 && { replay: row.replays }),
    contentHash: hashOf({ channel: row.channel, ...content }),
    ...content,
  };
}

function identityOf({ id, identity, eventId, replays }: IdentifiedRow): string {
  // the same content may be a new event (A, B, A): its row distinguishes the two
  const sent = identity === 'webhook-id' ? eventId : `content:${eventId}:${id}`;
  // another reading may yield more facts, so it has an id of its own; a repeat of the same reading has the same id
  return replays === 0 ? sent : `${sent}:replay-${replays}`;
}

type Facts = Omit<
  ReservationEvent,
  'eventId' | 'inboxId' | 'channel' | 'receivedAt' | 'replay' | 'contentHash'
>;

/** A fact that cannot be read is left out: the event states nothing about it. */
function facts(callback: Callback): Facts {
  const { changedAt } = callback;
  return { ...statedFacts(callback), ...(isKnown(changedAt) && { changedAt }) };
}

function statedFacts(callback: Callback): Facts {
  switch (callback.kind) {
    case 'status':
      return { status: callback.reservationStatus };
    case 'car':
      return {
        car: { id: callback.carId, number: callback.carNumber },
        ...(isKnown(callback.previousCarId) && { previousCarId: callback.previousCarId }),
      };
    default:
      return reservationFacts(callback.reservation);
  }
}

function reservationFacts(reservation: AnnouncedReservation): Facts {
  const {
    reservationId,
    reservationStatus: status,
    serviceId,
    serviceName,
    companyId,
    companyName,
    createdAt,
    startAt: start,
    endAt: end,
    carId,
    carNumber,
    pickupAddress,
    pickupMemo,
    driverName,
    driverBirth,
    driverPhone,
    driverLicenseNumber,
    driverAddress,
    companionInfo,
    productInfo,
    drivingStartAt,
    drivingEndAt,
    parkingMemo,
    parkingImageUrl,
    parkingLotType,
    ...forgotten
  } = reservation;
  // a field of the model that is not read here fails the build
  forgotten satisfies Record<string, never>;
  const malformed = malformedFields(reservation);
  const driving = pickGiven({ start: drivingStartAt, end: drivingEndAt });
  const parking = pickGiven({
    memo: parkingMemo,
    imageUrl: webAddress(parkingImageUrl) ?? undefined,
    lotType: parkingLotType,
  });
  return {
    status,
    ...(serviceId !== null && { service: { id: serviceId, name: serviceName } }),
    ...(companyId !== null && { company: { id: companyId, name: companyName } }),
    ...(createdAt !== null && { createdAt }),
    period: { start, end },
    car: { id: carId, number: carNumber },
    ...(pickupAddress !== null && { pickupAddress }),
    driver: {
      name: driverName,
      birth: driverBirth,
      phone: driverPhone,
      licenseNumber: driverLicenseNumber,
      address: driverAddress,
    },
    // the event carries the whole reservation: no companion in it means that there is none (L15)
    ...(companionInfo !== null && {
      companion: companionInfo ? (pickGiven(companionInfo) ?? {}) : null,
    }),
    ...(isKnown(productInfo?.productId) && { productId: productInfo.productId }),
    ...(isKnown(pickupMemo) && { pickupMemo }),
    ...(driving !== null && { driving }),
    ...(parking !== null && { parking }),
    ...(malformed.length > 0 && { malformed }),
  };
}

function isKnown<T>(value: T): value is NonNullable<T> {
  return value !== null && value !== undefined;
}

/** The fields that have a value; null where none has. */
function pickGiven<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } | null {
  const present = Object.entries(fields).filter(([, value]) => isKnown(value));
  return present.length === 0
    ? null
    : (Object.fromEntries(present) as { [K in keyof T]?: NonNullable<T[K]> });
}

/** Equal content has an equal hash, in any order of its fields. */
function hashOf(content: object): string {
  return createHash('sha256').update(canonical(content)).digest('hex');
}
