import type { Instant } from './types.js';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** What `stamp` wrote, as an instant: `Date` wants a colon in the offset. */
export function instantOf(stamped: string): Instant {
  return Date.parse(stamped.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}

/** `yyyy-MM-dd'T'HH:mm:ss.SSS+0900` in the zone `offsetMinutes` east of UTC (specification, Reservation). */
export function stamp(instant: Instant, offsetMinutes: number): string {
  const local = new Date(instant + offsetMinutes * minute).toISOString().slice(0, -1);
  const size = Math.abs(offsetMinutes);
  const digits = `${Math.floor(size / 60)}`.padStart(2, '0') + `${size % 60}`.padStart(2, '0');
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${digits}`;
}
