import type { ReservationView } from '../lifecycle/index.js';

/** A view that 0.1.0 wrote into a case file, or that a worker of it answers with while another version is rolled out. */
type OlderView = Omit<ReservationView, 'danger' | 'proposals' | 'recall'> &
  Partial<Pick<ReservationView, 'danger' | 'proposals'>> & {
    recall: Omit<ReservationView['recall'], 'note'> & Partial<Pick<ReservationView['recall'], 'note'>>;
  };

/** What an older version knew nothing of is added as absent. */
export function viewOfToday(view: OlderView): ReservationView {
  return { danger: null, proposals: [], ...view, recall: { note: null, ...view.recall } };
}
