import { type SQL, sql } from 'drizzle-orm';
import type { HoldStateName } from '../domain/hold/index.js';
import type { FindingKind } from '../domain/reconciliation/index.js';
import type { AttentionKind } from '../domain/reservation/types.js';
import type { Period } from '../domain/shared/time.js';
import { timestamptz } from './columns.js';
import { rowsOf } from './connection/rows.js';
import { cursorOf } from './cursor.js';
import type { HandoverDb } from './handover.js';
import { type ListPage, page } from './page.js';
import type { OpenRows } from './reservations/open-rows.js';
import { findings, holds, openReservations, scheduleEntries } from './schema.js';

/** What takes a car for a time, as far as it is known here. */
export type Bar = { startAt: number; endAt: number } & (
  | {
      type: 'reservation';
      reservationId: number;
      status: number | null;
      attention: AttentionKind[];
      atRisk: boolean;
      /** The car is with the customer after its end: it is taken until now. */
      overdue: boolean;
    }
  | { type: 'hold'; holdId: string; state: HoldStateName }
  /** An S entry of the platform's schedule, made by no hold of ours; `readAt`: the instant of the reading that last had it. */
  | { type: 'entry'; scheduleId: number; readAt: number }
  /** An R entry of the platform's schedule that belongs to no reservation here. */
  | { type: 'finding'; findingId: number; kind: FindingKind; scheduleId: number | null }
);

export interface CarSchedule {
  carId: number;
  /** Of a reservation of the car; null: none has it. */
  carNumber: string | null;
  /** By their start. */
  bars: Bar[];
}

export interface Schedule {
  /** Cars by their id, or these, each with what takes it within the period. @throws CursorError */
  read(
    period: Period,
    at: { now: number; carIds?: readonly number[]; cursor?: string; limit: number },
  ): Promise<ListPage<CarSchedule>>;
}

interface Found {
  carId: string;
  startAt: string;
  endAt: string;
  bar: Record<string, never>;
  personal: Uint8Array | null;
}

export function createSchedule(db: HandoverDb, openRows: Pick<OpenRows, 'open'>): Schedule {
  return {
    async read(period, { now, carIds, cursor, limit }) {
      const asOf = Date.now();
      const after = cursorOf(cursor, Number.MAX_SAFE_INTEGER) ?? 0;
      const isAfter = sql`car_id > ${after}`;
      const isWanted =
        carIds === undefined ? isAfter : sql`${isAfter} and car_id = any(${`{${carIds}}`}::bigint[])`;
      const found = rowsOf<Found>(
        await db.execute(sql`
        with bars as (${barsWithin(period, now, isWanted)}),
          cars as (select distinct car_id from bars order by car_id limit ${limit + 1})
        select car_id::text as "carId", ${milliseconds(sql`start_at`)}::text as "startAt", ${milliseconds(sql`end_at`)}::text as "endAt", bar, personal
        from bars join cars using (car_id) order by bars.car_id, bars.start_at, bars.end_at`),
      );
      const cars = new Map<number, CarSchedule>();
      for (const { carId: id, startAt, endAt, bar, personal } of found) {
        const car = cars.get(Number(id)) ?? { carId: Number(id), carNumber: null, bars: [] };
        car.bars.push({ startAt: Number(startAt), endAt: Number(endAt), ...bar } as unknown as Bar);
        const { reservationId } = bar as { reservationId?: number };
        if (personal !== null && reservationId !== undefined)
          car.carNumber ??= openRows.open(reservationId, Buffer.from(personal)).carNumber;
        cars.set(car.carId, car);
      }
      return page([...cars.values()], limit, (car) => car.carId, asOf);
    },
  };
}

const milliseconds = (at: SQL) => sql`(extract(epoch from ${at}) * 1000)::bigint`;

/** A car that is with the customer is taken until it is back. What a manager closed is not undone: its entry may stand on the platform. */
function barsWithin({ start, end }: Period, now: number, isWanted: SQL): SQL {
  const isOut = sql`status in (15, 20, 25)`;
  return sql`
    select car_id, start_at, end_at, personal, jsonb_build_object('type', 'reservation', 'reservationId', reservation_id,
      'status', status, 'attention', jsonb_path_query_array(attention, '$[*].kind'), 'atRisk', at_risk,
      'overdue', ${isOut} and end_at < ${timestamptz(now)}) as bar
    from ${openReservations}
    where ${isWanted} and start_at < ${timestamptz(end)} and (status is null or status < 35)
      and case when ${isOut} then greatest(end_at, ${timestamptz(now)}) else end_at end > ${timestamptz(start)}
    union all
    select car_id, start_at, end_at, null, jsonb_build_object('type', 'hold', 'holdId', hold_id, 'state', state)
    from ${holds} where ${isWanted} and ended_at is null and start_at < ${timestamptz(end)} and end_at > ${timestamptz(start)}
    union all
    select car_id, start_at, end_at, null, jsonb_build_object('type', 'entry', 'scheduleId', schedule_id,
      'readAt', ${milliseconds(sql`read_at`)})
    from ${scheduleEntries} e where ${isWanted} and start_at < ${timestamptz(end)} and end_at > ${timestamptz(start)}
      and not exists (select from ${holds} h where h.car_id = e.car_id and h.start_at < e.end_at and h.end_at > e.start_at
        and (h.ended_at is null or (h.state not in ('refused', 'resolved') and (h.ended_at >= e.end_at or h.ended_at > e.read_at))))
    union all
    select car_id, start_at, end_at, null,
      jsonb_build_object('type', 'finding', 'findingId', id, 'kind', kind, 'scheduleId', schedule_id)
    from ${findings}
    where ${isWanted} and closed_at is null and reservation_id is null and start_at < ${timestamptz(end)} and end_at > ${timestamptz(start)}`;
}
