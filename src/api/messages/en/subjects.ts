/** A read of the platform that failed: its code, and the text of the platform's client without a full stop. */
interface FailedRead {
  code: string;
  text: string;
}
/** What the platform was asked for. */
export type Shown = 'car' | 'cars' | 'product' | 'fare plan';
/** Why a callback cannot be read again. */
export type Hindrance = 'EVENT_ON_ITS_WAY' | 'BODY_REMOVED' | 'CODEC_KEY_UNKNOWN' | 'CODEC_PAYLOAD_DAMAGED';

/** What a request is about. */
export const subjects = {
  'api.no-reservation': ({ reservationId }: { reservationId: number }) =>
    `Reservation ${reservationId} is unknown here: no event of it arrived. Check the id.`,
  'api.callbacks-wait': () =>
    'The reservation is not ready: its callbacks are stored and have not reached it. Send the same request again in a moment.',
  'api.callbacks-dead': () =>
    'The reservation accepted no callback: they are dead letters (GET /api/inbox?state=dead). Remove the cause, then replay them.',
  'api.reservation-ended': ({ code }: { code: string }) =>
    `The reservation's workflow was ended (${code}) before the reservation was closed. Reset it in Temporal, or restart it as a manager with PUT /api/reservations/{id}.`,
  'api.car-not-known': () => 'The car is not known yet. Read it again later.',
  'api.car-not-yet-shown': ({ status, name }: { status: number | null; name: string }) =>
    `The reservation is at ${status ?? 'no known status'} (${name}): its car is shown from 15 on.`,
  'api.car-no-longer-shown': ({ status, name }: { status: number; name: string }) =>
    `The reservation is at ${status} (${name}): its car is shown from 15 until the return at 30.`,
  'api.attention-closed': ({ kind }: { kind: string }) =>
    `The attention item "${kind}" is not open. Read the reservation for its open items.`,
  'api.attention-claimed': () =>
    'Another person has this item. Agree with them, then take it over (API: send `name` and `from`).',
  'api.staff-unknown': () => 'The name is not known. Use one that `GET /api/staff` lists.',
  'api.photo-not-shown': () => 'The reservation shows no such photo. Read the reservation again.',
  'api.photo-lost': () => 'The photo store has lost the photo. Check BLOB_URL.',
  'api.too-many-found': ({ count, most }: { count: number; most: number }) =>
    `The search found ${count} reservations and bookings; one erasure erases ${most} at most, and nothing was erased. Search by the phone or the licence, or list them by a dry run and erase them by their ids.`,

  'api.no-booking': ({ commandId }: { commandId: string }) =>
    `No booking was made here with the Idempotency-Key ${commandId}. Check the key.`,
  'api.booking-not-made': () =>
    'No reservation was made: the answer was lost, and a person found that the platform has none. Book again under a new Idempotency-Key.',
  'api.other-product': ({ other, productId }: { other: number; productId: number }) =>
    `The reservation is for another product (${other}; the booking: ${productId}). Check the reservation id.`,

  /** F09: the id may be one of the platform's schedule. */
  'api.no-hold': ({ isNumber }: { isNumber: boolean }) => {
    const hint = `An entry of the platform's schedule is not a hold; one of a reservation (type R) can be neither edited nor deleted, it changes with its reservation.`;
    return `There is no hold of this id. Check the id.${isNumber ? ` ${hint}` : ''}`;
  },
  /** `until`: RFC 3339. */
  'api.hold-overlaps': ({ holdId, until }: { holdId: string; until: string }) =>
    `Hold ${holdId} has the car in this period, until ${until}: change or release that one, or choose another period.`,
  'api.proposed-hold-over': ({ state }: { state: string }) =>
    `The proposed hold is over (${state}). Create a new hold for the car where it must stay blocked.`,
  'api.proposal-unknown': ({ reservationId }: { reservationId: number }) =>
    `Reservation ${reservationId} is not known here. Check the proposal id.`,
  'api.proposal-gone': () =>
    'The proposal has ended: the car is back, or the task is done. Create a hold for the car where one is still needed.',

  'api.no-car': ({ carId }: { carId: number }) =>
    `The platform knows no car ${carId} of this company. Check the car id.`,
  'api.no-car-write': () => 'No write has this command id. Check the id.',
  'api.no-product': ({ id }: { id: number }) => `The platform shows no product ${id}. Check the product id.`,
  'api.not-shown': ({ what, id }: { what: Shown; id: number | null }) =>
    `The platform shows no ${id === null ? what : `${what} ${id}`}.`,
  'api.not-read': ({ text }: FailedRead) => `Not read: ${text}.`,
  'api.platform-unreadable': ({ text }: FailedRead) => `${text}.`,
  'api.platform-unavailable': ({ text }: FailedRead) =>
    `${text}. There is no earlier answer to show. Repeat the request later.`,

  'api.no-callback': ({ id }: { id: number }) =>
    `The inbox has no callback ${id}. GET /api/inbox lists the callbacks.`,
  'api.not-replayed': ({ id, why }: { id: number; why: Hindrance }) =>
    `Event ${id} cannot be read again. ${hindrances[why]}`,
  'api.no-finding': ({ id }: { id: number }) =>
    `There is no finding ${id}. GET /api/findings lists the findings.`,
  'api.finding-known': ({ id, reservationId }: { id: number; reservationId: number | null }) =>
    `Finding ${id} is about reservation ${reservationId}, which is known. Adopt findings of the kind undiscovered only.`,
  'api.finding-adopted': ({ id, reservationId }: { id: number; reservationId: number | null }) =>
    `Finding ${id} was adopted as reservation ${reservationId}. Nothing is left to adopt.`,
  'api.finding-adopted-twice': (of: { id: number; other: number | null; reservationId: number }) =>
    `Finding ${of.id} was adopted at the same moment as reservation ${of.other}. Reservation ${of.reservationId} has its car and period too: check both and correct the wrong one.`,
  'api.finding-gone': ({ id }: { id: number }) =>
    `Finding ${id} is over: its reservation is known now, or the entry gone. Nothing is left to adopt.`,
  'api.post-gone': ({ id }: { id: number }) =>
    `Post ${id} is not stored: its receiver accepted it, or it was dropped. See GET /api/outbox.`,
  'api.post-waits': ({ id }: { id: number }) =>
    `Post ${id} still waits and is retried automatically. Nothing is to be done.`,
} as const;

const hindrances: Record<Hindrance, string> = {
  EVENT_ON_ITS_WAY:
    'It is still being processed. Repeat the request when its state is done or dead, or 10 minutes after it was sent.',
  BODY_REMOVED: 'Its body was deleted by the retention (INTAKE_RETENTION): assert its values by hand.',
  CODEC_KEY_UNKNOWN: 'Its key is not among CODEC_KEYS: add that key behind the others.',
  CODEC_PAYLOAD_DAMAGED:
    'It cannot be decrypted: the row was changed, or CODEC_KEYS gives its key id another key. Correct the key, or restore the row.',
};
