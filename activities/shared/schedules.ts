import type { CarSchedules, Received, Schedule } from '../../src/platform/model.js';
import { type Known, knows, whyUnknown } from '../../src/platform/needed.js';

type Group = Received<CarSchedules>;
/** Without its car, which the group names. */
export type ReadEntry = Known<Received<Schedule>, 'scheduleId' | 'scheduleType' | 'startAt' | 'endAt'> & {
  carId: number;
};

/** What GET /schedule shows, and what of it cannot be read: that is no evidence of an absence. */
export interface ReadSchedules {
  entries: ReadEntry[];
  /** Entries, or whole groups, of which a needed field is unknown. `carId` null: of which car is unknown too. */
  unread: { carId: number | null; scheduleId: number | null; why: string }[];
}

/** Reads the groups of a list of schedules (G09) entry by entry: what one lacks affects it alone. */
export function readGroups(groups: readonly Group[]): ReadSchedules {
  const read: ReadSchedules = { entries: [], unread: [] };
  for (const group of groups) {
    if (!knows(group, 'schedules')) {
      read.unread.push({
        carId: group.carId,
        scheduleId: null,
        why: whyUnknown(operation, group, 'schedules'),
      });
      continue;
    }
    for (const entry of group.schedules) {
      const carId = entry.carId ?? group.carId;
      if (carId !== null && knows(entry, 'scheduleId', 'scheduleType', 'startAt', 'endAt')) {
        read.entries.push({ ...entry, carId });
      } else {
        const { scheduleId } = entry;
        read.unread.push({ carId, scheduleId, why: whyUnknown(operation, entry, ...fields(carId)) });
      }
    }
  }
  return read;
}

/** The same of one car; what may be of any car may be of this one. */
export function ofCar({ entries, unread }: ReadSchedules, carId: number): ReadSchedules {
  return {
    entries: entries.filter((entry) => entry.carId === carId),
    unread: unread.filter((one) => one.carId === carId || one.carId === null),
  };
}

const operation = 'listSchedules';
const entryFields = ['scheduleId', 'scheduleType', 'startAt', 'endAt'] as const;

function fields(carId: number | null) {
  return carId === null ? (['carId', ...entryFields] as const) : entryFields;
}
