import type { ReservationView } from '../domain/reservation/index.js';

/** A view that an older version wrote into a case file, or that a worker of it answers with during a rollout. */
type OlderView = Omit<ReservationView, 'sequence' | 'danger' | 'proposals' | 'progress' | 'recall'> &
  Partial<Pick<ReservationView, 'sequence' | 'danger' | 'proposals' | 'progress'>> & {
    recall: Omit<ReservationView['recall'], 'note'> & Partial<Pick<ReservationView['recall'], 'note'>>;
  };

/** Adds fields that an older version did not know, as absent; its times become RFC 3339. */
export function viewOfToday(view: OlderView): ReservationView {
  return rfc3339Times(withAbsentFields(view));
}

/** The first half of `viewOfToday`, where the times are read already. */
export function withAbsentFields(view: OlderView): ReservationView {
  return {
    sequence: 0,
    danger: null,
    proposals: [],
    progress: null,
    ...view,
    recall: { note: null, ...view.recall },
  };
}

const compactOffset = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d)(\d\d)$/;

/** 0.2.0 wrote the offset of a time without a colon: `+0900` becomes `+09:00`, wherever a view holds one. */
export function rfc3339Times<T>(view: T): T {
  if (typeof view === 'string') return view.replace(compactOffset, '$1:$2') as T;
  if (Array.isArray(view)) return view.map(rfc3339Times) as T;
  if (typeof view !== 'object' || view === null) return view;
  return Object.fromEntries(Object.entries(view).map(([name, value]) => [name, rfc3339Times(value)])) as T;
}
