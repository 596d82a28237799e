import { fileURLToPath } from 'node:url';
import { runProgram } from '../child.js';

export interface RequestRate {
  url: string;
  path: string;
  token: string;
  perSecond: number;
  seconds: number;
}

/** Milliseconds from the planned time of the request to the complete answer. */
export interface AnswerFigures {
  p50: number;
  p95: number;
  p99: number;
  max: number;
  /** Bytes of one answer. */
  bytes: number;
  statuses: Record<string, number>;
}

/** An open loop in a process of its own, so that it waits for the server only. */
export function requestAtRate(asking: RequestRate, folder: string): Promise<AnswerFigures> {
  const script = fileURLToPath(new URL('load-process.js', import.meta.url));
  return runProgram('load', script, asking, folder);
}
