export interface Period {
  start: Instant;
  end: Instant;
}

/** Milliseconds since the Unix epoch, UTC. */
export type Instant = number;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** RFC 3339 with milliseconds, `2026-11-21T09:00:00.000+09:00`, in the zone `offsetMinutes` east of UTC. */
export function stamp(instant: Instant, offsetMinutes: number): string {
  return stampsIn(offsetMinutes)(instant);
}

/** The same as the platform writes it (specification, Reservation): `2026-11-21T09:00:00.000+0900`. */
export function platformStamp(instant: Instant, offsetMinutes: number): string {
  return stampsIn(offsetMinutes, '')(instant);
}

/** Writes instants as `stamp`, for who writes many. */
export function stampsIn(offsetMinutes: number, separator: ':' | '' = ':'): (instant: Instant) => string {
  const offset = offsetText(offsetMinutes, separator);
  return (instant) => new Date(instant + offsetMinutes * minute).toISOString().slice(0, -1) + offset;
}

/** A zone `offsetMinutes` east of UTC as its offset: `+09:00`. */
export function offsetText(offsetMinutes: number, separator: ':' | ''): string {
  const two = (value: number) => `${value}`.padStart(2, '0');
  const size = Math.abs(offsetMinutes);
  return `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${separator}${two(size % 60)}`;
}
