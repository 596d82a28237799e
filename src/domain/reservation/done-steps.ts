import type { Action } from './actions.js';
import type { Evidence, PhotoView, ReservationView, StaffView } from './types.js';

/** That a step is done: why it is believed, and since when. Nothing of it is personal data. */
export interface DoneStep {
  /** A timestamp in the service's zone. */
  at: string;
  /** Null: an earlier version wrote the view. */
  grade: Evidence['grade'] | null;
  source: Evidence['source'] | null;
  /** L14: a photo of a car that has been replaced since. */
  outdated: boolean;
}

/** What the view shows of each step; null: it is not done. */
export function doneSteps({
  dispatch,
  recall,
  evidence,
}: Pick<ReservationView, 'dispatch' | 'recall' | 'evidence'>): Record<Action, DoneStep | null> {
  return {
    'dispatch.staff': ofPart(dispatch.staff),
    'dispatch.start': reached(dispatch.startedAt, evidence['dispatch.startedAt']),
    'dispatch.parkingImage': ofPart(dispatch.parkingImage),
    'dispatch.carImage': ofPart(dispatch.carImage),
    'dispatch.complete': reached(dispatch.completedAt, evidence['dispatch.completedAt']),
    'recall.staff': ofPart(recall.staff),
    'recall.carImage': ofPart(recall.carImage),
    'recall.complete': reached(recall.completedAt, evidence['recall.completedAt']),
  };
}

function ofPart(part: PhotoView | (StaffView & Evidence) | null): DoneStep | null {
  if (part === null) return null;
  const { at, grade, source } = part;
  return { at, grade, source, outdated: 'outdated' in part && part.outdated };
}

/** Also where no report has the moment, and a later status implies it (L04). */
function reached(reportedAt: string | null, why: Evidence | undefined): DoneStep | null {
  const at = reportedAt ?? why?.at ?? null;
  return at === null ? null : { at, grade: why?.grade ?? null, source: why?.source ?? null, outdated: false };
}
