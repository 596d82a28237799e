import { sql } from 'drizzle-orm';
import type { ScheduleEntry } from '../../src/domain/reservation/index.js';
import type { SandboxDb } from '../../src/sandbox/store/store.js';
import { rowsOf } from '../../src/store/connection/rows.js';

/**
 * All cars belong to one company. Each car has fifteen schedule entries over thirty days; one of them is a reservation.
 */
export async function reserve(db: SandboxDb): Promise<ScheduleEntry[]> {
  await db.execute(sql`update sandbox.cars set company_id = 11`);
  await db.execute(sql`
    update sandbox.schedules set schedule_type = 'R', reason = 'reservation'
    from (select schedule_id as id, row_number() over (partition by car_id order by start_at) as place
          from sandbox.schedules) as one
    where one.id = schedule_id and one.place = car_id % 15 + 1`);
  const result = await db.execute(sql`
    select schedule_id as "scheduleId", car_id as "carId", extract(epoch from start_at) * 1000 as start,
           extract(epoch from end_at) * 1000 as "end"
    from sandbox.schedules where schedule_type = 'R' order by schedule_id`);
  return rowsOf<Record<keyof ScheduleEntry, unknown>>(result).map(({ scheduleId, carId, start, end }) => ({
    scheduleId: Number(scheduleId),
    carId: Number(carId),
    start: Number(start),
    end: Number(end),
  }));
}
