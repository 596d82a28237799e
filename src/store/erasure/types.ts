import type { HandoverDb } from '../handover.js';
import type { Remains } from './remains.js';

/** The transaction of an erasure. */
export type Tx = Parameters<Parameters<HandoverDb['transaction']>[0]>[0];

/** One reservation that is erased with what belongs to it, or a booking or hold by itself. */
export interface Erased {
  reservationId: number | null;
  /** It was erased before: only what has come since is deleted. */
  isErased?: boolean;
  /** Command ids. */
  bookings: string[];
  holds: string[];
  /** Hashes of photos that are not deleted yet; absent: none. */
  photosLeft?: readonly string[];
  /** What is left of the payloads of each scope. */
  remains: ReadonlyMap<string, Remains>;
  by: string;
  /** An instant. */
  at: number;
}
