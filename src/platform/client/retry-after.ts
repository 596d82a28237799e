/**
 * Reads `Retry-After` in both of its forms, seconds and HTTP-date.
 *
 * @param now milliseconds since the epoch, to count a date from
 * @returns milliseconds to wait, never negative; undefined where the header is absent or has neither form
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!value) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // An HTTP-date begins with its weekday. `Date.parse` alone would also read a number as a year.
  const moment = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
