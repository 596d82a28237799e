import type { ActivityDeps } from '../../../activities/index.js';
import type { AttemptId } from '../../../src/contract/attempt.js';
import type { RecordedAttempt } from '../../../src/store/attempts.js';
import type { BookingStore } from '../../../src/store/bookings/bookings.js';

/** Where the worker stops for ever: before it sends a request, or with the platform's answer in its hands. */
export type TrapPoint = 'before-request' | 'after-answer';

/** The one argument of a trapped worker, as JSON. */
export interface WorkerSetting {
  /** Of the engine, with its namespace. */
  address: string;
  namespace: string;
  bundle: string;
  platformUrl: string;
  supplierKey: string;
  /** Where the worker books. */
  channelKey?: string;
  /** The photo store's folder. */
  photos: string;
  /** Reservations whose commands stop there. */
  traps: Record<TrapPoint, number[]>;
  /** Activities that stop there, each once. */
  activityTraps?: ActivityTrap[];
}

/** In the place of a reservation: it stops where its recall's note is written, not where it is recalled. */
export const memoTrap = (reservationId: number): number => -reservationId;

/** An activity, or a step of one such as `platform.book`, about one car, one schedule entry or one booking; `about` null: the first one. */
export interface ActivityTrap {
  activity: string;
  at: TrapPoint;
  about: number | string | null;
}

/** What the worker's activities write to the database. */
export type DatabaseCalls = Pick<ActivityDeps, 'record' | 'recordHold' | 'closeCase'> & {
  /** What its bookings ask of their store. */
  atBookings?(call: StoreCall): Promise<unknown>;
  recordAttempt(attempt: { id: AttemptId; runId: string }): Promise<RecordedAttempt>;
};
export interface StoreCall {
  name: keyof BookingStore;
  args: unknown[];
}
export type DatabaseCall = keyof DatabaseCalls;

export type FromWorker =
  | { kind: 'runs' }
  | { kind: 'reached'; at: TrapPoint; reservationId: number }
  | { kind: 'trapped'; trap: ActivityTrap }
  | { kind: 'call'; id: number; name: DatabaseCall; input: unknown };

export interface FromParent {
  answerTo: number;
  result?: unknown;
  error?: string;
}
