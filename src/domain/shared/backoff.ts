/** The waits between tries, in milliseconds. */
export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/**
 * The wait after so many failures in a row, in milliseconds: doubled each time, up to a bound.
 * @param failures from 1
 * @param spread what the wait is multiplied by, so that what failed together is not tried again together
 */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff, spread = 1): number {
  return Math.round(Math.min(firstMs * 2 ** Math.max(failures - 1, 0), longestMs) * spread);
}
