import type { ActivityDeps } from '../../../activities/index.js';

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
  /** The photo store's folder. */
  photos: string;
  /** Reservations whose commands stop there. */
  traps: Record<TrapPoint, number[]>;
}

/** What the worker's activities write to the database. */
export type DatabaseCalls = Pick<ActivityDeps, 'record' | 'recordHold' | 'closeCase'>;
export type DatabaseCall = keyof DatabaseCalls;

export type FromWorker =
  | { kind: 'runs' }
  | { kind: 'reached'; at: TrapPoint; reservationId: number }
  | { kind: 'call'; id: number; name: DatabaseCall; input: unknown };

export interface FromParent {
  answerTo: number;
  error?: string;
}
