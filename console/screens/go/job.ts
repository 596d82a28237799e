import {
  type Action,
  isAllowedAt,
  phaseAt,
  staffActions,
  stepsBefore,
} from '../../../src/domain/reservation/actions.js';
import type { ActionOption, Reservation } from '../../api/types.js';
import { hasDeadline } from '../../design/lateness.js';
import type { Entry } from '../../offline/entry.js';

/** What the phone stores of a reservation, to work on it without a connection: no customer's name, phone or licence. */
export interface Job {
  reservationId: number;
  sequence: number;
  plate: string | null;
  carId: number | null;
  status: number | null;
  grade: string | null;
  phase: 'dispatch' | 'recall';
  /** As the board sorts it: the start of the period for a handover, its end until the car is back, then the return. */
  dueAt: string | null;
  place: string | null;
  memos: string[];
  /** Who is assigned to the phase. */
  staff: string | null;
  /** It names the user: assigned, or claimed. */
  isMine: boolean;
  /** The newest reading failed: it is as of then. */
  staleSince: number | null;
  /** Its steps' sentences are in this language. */
  language: string;
  steps: JobStep[];
}

interface JobStep {
  action: Action;
  state: ActionOption['state'];
  message: string | null;
  isDone: boolean;
}

/** `after`: it can follow what waits on this phone. */
export type StepState = 'done' | 'queued' | 'next' | 'allowed' | 'after' | 'needs-override' | 'refused';
export interface Step extends JobStep {
  is: StepState;
  isRecommended: boolean;
  /** What waits of it, newest last. */
  waiting: Entry | null;
}

/** @param language of the reservation's sentences */
export function toJob(reservation: Reservation, isMine: boolean, language: string): Job {
  const { reservationId, sequence, status, car, period, pickup, parking, dispatch, recall } = reservation;
  const phase = phaseAt(status.code);
  const isRecall = phase === 'recall';
  const isReturned = isRecall && !hasDeadline(status.code);
  const memos = [pickup.memo, isRecall ? parking.memo : null].filter((memo) => memo !== null);
  return {
    reservationId,
    sequence,
    plate: car?.number ?? null,
    carId: car?.id ?? null,
    status: status.code,
    grade: status.grade,
    phase,
    dueAt: (isReturned ? status.since : isRecall ? period?.end : period?.start) ?? null,
    place: pickup.address,
    memos,
    staff: (isRecall ? recall : dispatch).staff?.staffName ?? null,
    isMine,
    staleSince: null,
    language,
    steps: reservation.actions
      .filter(({ action }) => staffActions[action].phase === phase)
      .map(({ action, state, message, done }) => ({
        action,
        state,
        message,
        isDone: done !== null && !done.outdated,
      })),
  };
}

/**
 * The steps of a job with what waits on the phone: without a connection the next one can be done before the service knows of
 * the one before it. The service decides when it is sent (L20, L27).
 */
export function stepsOf(job: Job, entries: readonly Entry[]): Step[] {
  const mine = entries.filter(({ reservationId }) => reservationId === job.reservationId);
  const waiting = (action: Action) => mine.findLast((entry) => entry.action === action) ?? null;
  // the status once all of it is applied
  const status = mine.reduce((code, { action }) => staffActions[action].target ?? code, job.status);
  const isBehind = (action: Action) =>
    waiting(action) !== null || job.steps.some((step) => step.action === action && step.isDone);
  const canFollow = (action: Action) =>
    mine.length > 0 && stepsBefore(action).every(isBehind) && isAllowedAt(action, status);
  const steps = job.steps.map((step) => ({ ...step, waiting: waiting(step.action), is: stateOf(step) }));
  const recommended = steps.find(({ is }) => is === 'next' || is === 'after') ?? null;
  return steps.map((step) => ({ ...step, isRecommended: step === recommended }));

  function stateOf({ action, state, isDone: done }: JobStep): StepState {
    if (waiting(action) !== null) return 'queued';
    if (done) return 'done';
    if (state === 'needs-override' && canFollow(action)) return 'after';
    return state;
  }
}

/** By their time; those without one last. */
export function inOrder(jobs: readonly Job[]): Job[] {
  const time = ({ dueAt }: Job) => (dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(dueAt));
  return [...jobs].sort((a, b) => time(a) - time(b) || a.reservationId - b.reservationId);
}

/** The map of the phone itself: `geo:` where it is known, a page of a map elsewhere. It opens on a click alone. */
export function mapLink(place: string, userAgent: string): string {
  const query = encodeURIComponent(place);
  if (/android/i.test(userAgent)) return `geo:0,0?q=${query}`;
  if (/iphone|ipad|ipod/i.test(userAgent)) return `https://maps.apple.com/?q=${query}`;
  return `https://www.openstreetmap.org/search?query=${query}`;
}
