import { fileURLToPath } from 'node:url';
import { runProgram } from '../child.js';

export interface Load {
  url: string;
  /** Ids are `<prefix>-<index>`. */
  prefix: string;
  firstReservation: number;
  count: number;
  connections: number;
  /** Callbacks per second; null: as fast as the connections allow. */
  perSecond: number | null;
}

export interface Loaded {
  sent: number;
  /** Ids of callbacks that were answered 204. */
  accepted: number;
  /** Number of answers by status, or by the code of a failed connection. */
  statuses: Record<string, number>;
  seconds: number;
  acceptedPerSecond: number;
  /** Milliseconds from the planned time of sending to the 204. */
  acknowledgedMs: { p50: number | null; p99: number | null; max: number | null };
  notAccepted: number[];
}

/** Sends callbacks from a process of its own, so that it waits for the receiver only. */
export function send(load: Load, folder: string): Promise<Loaded> {
  const script = fileURLToPath(new URL('load-process.js', import.meta.url));
  return runProgram('load', script, load, folder);
}
