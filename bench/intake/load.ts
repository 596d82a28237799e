import { fileURLToPath } from 'node:url';
import { runProgram } from '../child.js';

export interface Load {
  url: string;
  /** Ids are `<prefix>-<index>`. */
  prefix: string;
  firstReservation: number;
  count: number;
  connections: number;
  /** Null: as fast as the connections go. */
  perSecond: number | null;
}

export interface Loaded {
  sent: number;
  /** Answered 204. */
  accepted: number;
  /** Answers by status, or by the code of a connection that failed. */
  statuses: Record<string, number>;
  seconds: number;
  acceptedPerSecond: number;
  /** From the moment when it was to be sent to its 204. */
  acknowledgedMs: { p50: number | null; p99: number | null; max: number | null };
  notAccepted: number[];
}

/** Sends callbacks from a process of its own, so that it waits only for the receiver. */
export function send(load: Load, folder: string): Promise<Loaded> {
  const script = fileURLToPath(new URL('load-process.js', import.meta.url));
  return runProgram('load', script, load, folder);
}
