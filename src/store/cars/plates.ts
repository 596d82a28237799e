import { sql } from 'drizzle-orm';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';
import { rowOf, type StoredView } from '../reservations/case-files.js';
import type { OpenRows } from '../reservations/open-rows.js';
import { caseFiles, openReservations } from '../schema.js';
import { CodecError } from '../sealing/errors.js';
import type { Sealer } from '../sealing/sealer.js';

export interface Plates {
  /** By car id, as the newest reservation of the car has it: an open one, else the last one that was closed. */
  of(carIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

interface Found {
  carId: string;
  openId: string | null;
  personal: Uint8Array | null;
  closedId: string | null;
  view: Uint8Array | null;
}

export function createPlates(
  db: HandoverDb,
  { openRows, sealer }: { openRows: Pick<OpenRows, 'open'>; sealer: Pick<Sealer, 'open'> },
): Plates {
  const plateOf = ({ openId, personal, closedId, view }: Found) =>
    personal !== null
      ? openRows.open(Number(openId), Buffer.from(personal)).carNumber
      : view !== null
        ? plateOfClosed(sealer, Number(closedId), Buffer.from(view))
        : null;
  return {
    async of(carIds) {
      if (carIds.length === 0) return new Map();
      const found = rowsOf<Found>(
        await db.execute(sql`
        select car.id::text as "carId", o.reservation_id::text as "openId", o.personal,
          c.reservation_id::text as "closedId", c.view
        from unnest(${`{${carIds}}`}::bigint[]) as car(id)
        left join lateral (
          select reservation_id, personal from ${openReservations}
          where car_id = car.id and plate is not null order by sequence desc limit 1) o on true
        left join lateral (
          select reservation_id, view from ${caseFiles}
          where o.reservation_id is null and car_id = car.id order by closed_at desc limit 1) c on true`),
      );
      const named = found.map((row) => [Number(row.carId), plateOf(row)] as const);
      return new Map(named.filter((one): one is [number, string] => one[1] !== null));
    },
  };
}

/** Null also where no key of ours opens the case file. */
function plateOfClosed(sealer: Pick<Sealer, 'open'>, reservationId: number, view: Buffer): string | null {
  try {
    const { car } = JSON.parse(sealer.open(view, rowOf(reservationId)).toString()) as StoredView;
    return car?.number ?? null;
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}
