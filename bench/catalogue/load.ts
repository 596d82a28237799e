import { fileURLToPath } from 'node:url';
import { runProgram } from '../child.js';

export interface RequestRate {
  url: string;
  path: string;
  token: string;
  perSecond: number;
  seconds: number;
}

/** Milliseconds from the moment when it was to be asked to the whole answer. */
export interface AnswerFigures {
  p50: number;
  p99: number;
  max: number;
  /** Of one answer. */
  bytes: number;
  statuses: Record<string, number>;
}

/** An open loop from a process of its own, so that it waits only for the server that answers. */
export function requestAtRate(asking: RequestRate, folder: string): Promise<AnswerFigures> {
  const script = fileURLToPath(new URL('load-process.js', import.meta.url));
  return runProgram('load', script, asking, folder);
}
