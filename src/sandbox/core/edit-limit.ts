import type { Instant } from '../../platform/model.js';
import type { WireProfile } from '../../platform/profile.js';
import { Refusal } from './refusal.js';

const day = 24 * 3_600_000;
const limitDays = 7;

/**
 * An external schedule that ended long ago is closed for edits (specification, Schedule rule 2). Days are calendar
 * dates in the service's zone (G40): the hour of the end and of the edit do not matter.
 * @throws `Refusal` E012 when the end date is seven days or more before the current date
 */
export function assertEditable(endAt: Instant, now: Instant, zone: WireProfile['zone']): void {
  const dayNumber = (at: Instant) => Math.floor((at + zone.offsetMinutes * 60_000) / day);
  if (dayNumber(now) - dayNumber(endAt) >= limitDays)
    throw new Refusal('E012', 'the schedule ended 7 or more days ago and can no longer be edited');
}
