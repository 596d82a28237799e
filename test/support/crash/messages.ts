import type { RecordInput } from '../../../src/contract/reservation.js';

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

export type FromWorker =
  | { kind: 'runs' }
  | { kind: 'reached'; at: TrapPoint; reservationId: number }
  | { kind: 'record'; id: number; input: RecordInput };

export interface FromParent {
  answerTo: number;
  error?: string;
}
