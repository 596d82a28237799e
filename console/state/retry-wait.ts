import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';

/** The wait after so many failures in a row, in milliseconds: shorter or longer by up to a quarter, so that pages do not try again together. */
export function retryWaitMs(failures: number, waits: Backoff): number {
  return backoffMs(failures, waits, 0.75 + Math.random() / 2);
}
