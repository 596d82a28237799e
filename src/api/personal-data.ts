import type { CommandView, PhotoView, ReservationView } from '../lifecycle/index.js';
import type { KnownHold } from './hold-deps.js';
import type { VisibleHold } from './schemas/holds.js';
import type { VisibleEvent } from './schemas/inbox.js';
import type { VisibleReservation } from './schemas/reservation.js';

/** L60: the reservation as a viewer sees it. The one place that decides what is personal in a view. */
export function withoutPersonalData(view: ReservationView): VisibleReservation {
  return {
    ...view,
    pickup: { address: null, memo: null },
    driver: null,
    companion: null,
    parking: { ...view.parking, memo: null, imageUrl: null },
    dispatch: {
      ...view.dispatch,
      staff: null,
      parkingImage: withoutPhoto(view.dispatch.parkingImage),
      carImage: withoutPhoto(view.dispatch.carImage),
    },
    recall: {
      ...view.recall,
      staff: null,
      carImage: withoutPhoto(view.recall.carImage),
      note: view.recall.note && { ...view.recall.note, text: null },
    },
    commands: view.commands.map(withoutPersons),
    decisions: view.decisions.map((decision) => ({ ...decision, reason: null })),
  };
}

/** That it was taken is no secret; what finds it is. */
function withoutPhoto(photo: PhotoView | null) {
  return photo === null ? null : { ...photo, hash: null };
}

/** `by` stays: it is the name that the operator gave to a token, as it stands in the timeline. */
function withoutPersons(command: CommandView) {
  const override = command.override === null ? null : { reason: null };
  return { ...command, message: null, override };
}

/** L60: a hold as a viewer sees it: neither a person's words nor the platform's. */
export function holdWithoutPersonalData(hold: KnownHold): VisibleHold {
  const withoutWords = <T extends { message: string }>(said: T) => ({ ...said, message: null });
  return {
    ...hold,
    reason: null,
    attention: hold.attention.map(withoutWords),
    refused: hold.refused === null ? null : withoutWords(hold.refused),
    commands: hold.commands.map((command) => ({
      ...command,
      refused: command.refused === null ? null : withoutWords(command.refused),
    })),
  };
}

/** L60: what an event says as a viewer sees it. */
export function eventWithoutPersonalData(event: VisibleEvent): VisibleEvent {
  const { parking, ...said } = event;
  const personal = ['pickupAddress', 'pickupMemo', 'driver', 'companion'] as const;
  const hidden = personal.filter((name) => said[name] !== undefined).map((name) => [name, null] as const);
  return {
    ...said,
    ...Object.fromEntries(hidden),
    ...(parking !== undefined && { parking: { ...parking, memo: null, imageUrl: null } }),
  };
}

/** L60: a booking as a viewer sees it: neither what was asked for nor the platform's words. */
export function bookingWithoutPersonalData<B extends { request: unknown; message: string | null }>(
  booking: B,
) {
  return { ...booking, request: null, message: null };
}
