/** Bounds of the wait after a post that was not taken, in milliseconds. */
export interface RetryWaits {
  firstMs: number;
  longestMs: number;
}

/**
 * The wait after so many failures in a row: doubling, capped, and shortened by up to a half so that keys that failed
 * together come back apart. Milliseconds.
 * @param chance from 0 to 1, a random number
 */
export function waitMs(failures: number, { firstMs, longestMs }: RetryWaits, chance: number): number {
  const full = Math.min(firstMs * 2 ** Math.max(failures - 1, 0), longestMs);
  return Math.round(full * (1 - chance / 2));
}
