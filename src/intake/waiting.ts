import { sql } from 'drizzle-orm';
import type { HandoverDb } from '../db/handover.js';
import { rowsOf } from '../db/rows.js';
import type { EventChannel } from '../lifecycle/types.js';
import type { StoredEvent } from './normalise.js';

/** What waits for one reservation, in order of arrival. */
export interface WaitingBatch {
  reservationId: number;
  rows: StoredEvent[];
}

export interface WaitingQuery {
  /** Reservations to leave alone: on their way, or to be tried later. */
  except: number[];
  /** At most so many reservations. */
  reservations: number;
  /** Bounds of one batch; its first event goes in any case. */
  maxEvents: number;
  maxBytes: number;
}

export interface Waiting {
  batches: WaitingBatch[];
  /** Rows whose reservation could not be read (L63). */
  unreadable: number[];
}

interface Row {
  id: number | string;
  reservation_id: number | string | null;
  identity: 'webhook-id' | 'content';
  event_id: string;
  channel: EventChannel;
  received_at: string | Date;
  raw: Uint8Array;
}

/** So many of the oldest rows are looked at: a long backlog costs no more than a short one. */
const lookAt = 128;

/** The oldest waiting events, grouped by reservation, the longest waiting reservation first. */
export async function waitingEvents(db: HandoverDb, query: WaitingQuery): Promise<Waiting> {
  // one parameter for the list: a statement of its own for each length would be planned each time
  const result = await db.execute(sql`
    with oldest as materialized (
      select id, reservation_id from inbox
      where state = 'received' and (reservation_id in (
        select value::bigint from jsonb_array_elements_text(${JSON.stringify(query.except)}::text::jsonb)
      )) is not true
      order by id limit ${lookAt}
    ), chosen as (
      select reservation_id, min(id) as first from oldest where reservation_id is not null
      group by reservation_id order by first limit ${query.reservations}
    )
    select id, reservation_id, null as identity, null as event_id, null as channel,
      null as received_at, null as raw, id as first
    from oldest where reservation_id is null
    union all
    select batch.id, chosen.reservation_id, identity, event_id, channel, received_at, raw, first
    from chosen cross join lateral (
      select *, row_number() over waits as place, sum(octet_length(raw)) over waits as bytes
      from inbox where reservation_id = chosen.reservation_id and state = 'received'
      window waits as (order by id) order by id limit ${query.maxEvents}
    ) batch
    where place = 1 or bytes <= ${query.maxBytes}
    order by first, id`);
  return grouped(rowsOf<Row>(result));
}

function grouped(rows: Row[]): Waiting {
  const batches = new Map<number, StoredEvent[]>();
  const unreadable: number[] = [];
  for (const row of rows) {
    if (row.reservation_id === null) {
      unreadable.push(Number(row.id));
      continue;
    }
    const reservationId = Number(row.reservation_id);
    const batch = batches.get(reservationId) ?? [];
    batches.set(reservationId, batch);
    batch.push({
      id: Number(row.id),
      identity: row.identity,
      eventId: row.event_id,
      channel: row.channel,
      receivedAt: new Date(row.received_at).getTime(),
      raw: row.raw,
    });
  }
  return { batches: [...batches].map(([reservationId, rows]) => ({ reservationId, rows })), unreadable };
}
