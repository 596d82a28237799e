import type { VisibleReservation } from './schemas.js';

/** L60: the reservation as a viewer sees it: without what is personal. */
export function withoutPersonalData(view: VisibleReservation): VisibleReservation {
  return {
    ...view,
    pickup: { address: null, memo: null },
    driver: null,
    companion: null,
    parking: withoutPlace(view.parking),
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

/** Where the car stands is personal. */
export function withoutPlace(parking: VisibleReservation['parking']): VisibleReservation['parking'] {
  return { ...parking, memo: null, imageUrl: null };
}

/** Shows that the photo was taken; removes the fields by which it can be found. */
function withoutPhoto(photo: VisibleReservation['dispatch']['carImage']) {
  return photo === null ? null : { ...photo, hash: null };
}

/** `by` stays, as in the timeline: it is the name that the operator gave to a token. */
function withoutPersons(command: VisibleReservation['commands'][number]) {
  const override = command.override === null ? null : { reason: null };
  const { platformMessage: _, ...shown } = command;
  return { ...shown, message: null, override };
}
