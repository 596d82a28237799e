import { Tombstones } from '../shared/tombstones.js';
import type { ReservationView } from './types.js';

/** Of what is shown of an erased reservation beside its facts. */
export const erasedMark = 'erased';

/**
 * A closed reservation after its erasure: ids, times, codes, grades and who decided stay, under the mark `erased`. What was
 * personal is null, or a tombstone where a text is required.
 */
export function erasedView(view: ReservationView): ReservationView {
  const { status, company, service, booking, evidence, parking, dispatch, recall, marks } = view;
  const rest = new Tombstones().replace(view) as ReservationView;
  return {
    ...rest,
    // their texts are names of statuses, companies and grades
    status,
    company,
    service,
    evidence,
    ...(booking !== undefined && { booking }),
    marks: [...marks.filter((mark) => mark !== erasedMark), erasedMark],
    pickup: { address: null, memo: null },
    driver: null,
    companion: null,
    parking: { ...parking, memo: null, imageUrl: null },
    dispatch: { ...dispatch, staff: null, parkingImage: null, carImage: null },
    recall: {
      ...recall,
      staff: null,
      carImage: null,
      note: recall.note && { ...recall.note, text: null },
    },
  };
}

/** A closed reservation whose photos were erased. */
export function withoutPhotos(view: ReservationView): ReservationView {
  const { dispatch, recall } = view;
  return {
    ...view,
    dispatch: { ...dispatch, parkingImage: null, carImage: null },
    recall: { ...recall, carImage: null },
  };
}
