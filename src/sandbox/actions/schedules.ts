import type { Schedule, ScheduleRequest } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import { assertEditable } from '../core/edit-limit.js';
import { Refusal } from '../core/refusal.js';
import { carOfCompany } from '../store/fleet.js';
import {
  editSchedule,
  insertSchedule,
  lockSchedule,
  readSchedule,
  removeSchedule,
} from '../store/schedules.js';
import { isOverlap } from '../store/store.js';

/** Whose schedule is meant: another company's does not exist for a supplier (G27). */
interface ScheduleTarget {
  scheduleId: number;
  companyId: number | undefined;
}

/**
 * POST /schedule: takes the car for maintenance or another reason; from the commit on nothing offers it in the
 * period (Schedule rule 3). Any period may be registered, a past one too (G43).
 * @throws `Refusal` INVALID_REQUEST, NOT_FOUND for a car that is not the company's, E011
 */
export async function addSchedule(
  { db }: Sandbox,
  companyId: number | undefined,
  request: ScheduleRequest,
): Promise<Schedule> {
  return db.transaction(async (tx) => {
    const car = await carOfCompany(tx, request.carId, companyId);
    if (!car) throw new Refusal('NOT_FOUND', `there is no car ${request.carId}`);
    assertOrdered(request);
    const made = await insertSchedule(tx, request);
    if (!made) throw overlapRefusal();
    return made;
  });
}

/** @throws `Refusal` NOT_FOUND, ILLEGAL_STATE for a reservation's schedule */
export async function showSchedule({ db }: Sandbox, target: ScheduleTarget): Promise<Schedule> {
  return requireExternal(await readSchedule(db, target.scheduleId, target.companyId), target);
}

/**
 * PUT /schedule/{id}: another period or reason; the car stays (G42).
 * @throws `Refusal` NOT_FOUND, ILLEGAL_STATE for a reservation's schedule, E012 (G40), INVALID_REQUEST, E011
 */
export async function changeSchedule(
  { db, clock, profile }: Sandbox,
  target: ScheduleTarget,
  { carId, startAt, endAt, reason }: ScheduleRequest,
): Promise<Schedule> {
  const changed = db.transaction(async (tx) => {
    const before = requireExternal(await lockSchedule(tx, target.scheduleId, target.companyId), target);
    assertEditable(before.endAt, clock.now(), profile.zone);
    if (carId !== before.carId)
      throw new Refusal('INVALID_REQUEST', 'carId: a schedule stays with its car; expected the one it has');
    assertOrdered({ startAt, endAt });
    await editSchedule(tx, target.scheduleId, { startAt, endAt, reason });
    return { ...before, startAt, endAt, reason };
  });
  return refuseOverlap(changed);
}

/** DELETE /schedule/{id}, however long ago it ended. @throws `Refusal` NOT_FOUND, ILLEGAL_STATE for a reservation's schedule */
export async function deleteSchedule({ db }: Sandbox, target: ScheduleTarget): Promise<undefined> {
  await db.transaction(async (tx) => {
    requireExternal(await lockSchedule(tx, target.scheduleId, target.companyId), target);
    await removeSchedule(tx, target.scheduleId);
  });
}

/** Specification, Limits: only type S can be read in detail, edited or deleted. */
function requireExternal(schedule: Schedule | undefined, { scheduleId }: ScheduleTarget): Schedule {
  if (!schedule) throw new Refusal('NOT_FOUND', `there is no schedule ${scheduleId}`);
  if (schedule.scheduleType === 'S') return schedule;
  throw new Refusal(
    'ILLEGAL_STATE',
    `schedule ${scheduleId} belongs to a reservation (type R); only external ones (type S) are read, edited or deleted`,
  );
}

function assertOrdered(period: { startAt: number; endAt: number }): void {
  if (period.endAt <= period.startAt) throw new Refusal('INVALID_REQUEST', 'the end must be after the start');
}

/** The database constraint decides, also between two that come at once (Schedule rule 1). */
async function refuseOverlap<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isOverlap(error) ? overlapRefusal() : error;
  }
}

const overlapRefusal = () => new Refusal('E011', 'another schedule of the car overlaps this period');
