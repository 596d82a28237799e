import { stamp } from '../../shared/time.js';
import type { ScheduleEntry } from '../types.js';

/** What an entry of the platform's schedule shows. */
export function scheduleText(
  { scheduleId, carId, start, end }: ScheduleEntry,
  zoneOffsetMinutes: number,
): string {
  const time = (instant: number) => stamp(instant, zoneOffsetMinutes);
  return `The platform's schedule ${scheduleId} shows car ${carId}, ${time(start)} – ${time(end)}.`;
}
