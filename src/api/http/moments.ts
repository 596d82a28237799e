import type { Instant } from '../../domain/shared/time.js';
import { stampsIn } from '../../domain/shared/time.js';

/** Writes an instant in the service's zone, as every answer does: `2026-11-21T09:00:00.000+09:00`. */
export type WriteMoment = (instant: Instant) => string;

export function momentsIn(zoneOffsetMinutes: number): WriteMoment {
  return stampsIn(zoneOffsetMinutes);
}
