import type { ScheduleFilter, WireProfile } from '../../../platform/profile.js';

const day = 86_400_000;

/** Today and the six days after it, whole days in the service's zone (G18). */
export function week({ zone }: Pick<WireProfile, 'zone'>, now = Date.now()): ScheduleFilter {
  const date = (at: number) => new Date(at + zone.offsetMinutes * 60_000).toISOString().slice(0, 10);
  return { startDate: date(now), endDate: date(now + 6 * day) };
}
