import { type SQL, sql } from 'drizzle-orm';
import { type AuditData, carOf } from '../domain/shared/audit.js';
import { timestamptz } from './columns.js';
import { rowsOf } from './connection/rows.js';
import { CursorError } from './cursor.js';
import type { HandoverDb } from './handover.js';
import { type ListPage, page } from './page.js';
import { audit, caseFiles, openReservations, timeline } from './schema.js';

/** What a person did, or what became of an attention item. Ids and codes; never a reason, nor anything else personal (L60). */
export interface ActivityEntry {
  /** Of the audit or the timeline: `audit/17`, `reservation/8421/5`. */
  id: string;
  at: number;
  /** Null: no person did it (an attention item was raised, cleared itself, or was left open at the closing). */
  by: string | null;
  /** Such as `dispatch.start`, `hold.create`, `attention.raise`. */
  action: string;
  /** Such as `reservation/8421`. */
  subject: string;
  /** Of a command also `outcome`, once there is one. */
  data: AuditData;
  /** The car of the reservation, where it is known, or that the entry names. */
  carId: number | null;
}

interface ActivityFilter {
  /** An instant. */
  since: number;
  by?: string;
  cursor?: string;
  limit: number;
}

export interface Activity {
  /** Newest first. @throws CursorError */
  list(filter: ActivityFilter): Promise<ListPage<ActivityEntry>>;
}

/** Reading is recorded, and no deed. */
const isDeed = sql`action not like '%.read'`;

/** `by` of a prediction is a moment. */
const isPrediction = sql`(kind = 'timer' and data ? 'expected')`;

/** The names that entries of the timeline do not have. */
const actionOfEntry = sql`case
  when kind = 'command' then data ->> 'action'
  when data ? 'commandId' then 'command.resolve'
  when data ? 'kind' and data ? 'by' then 'attention.resolve'
  when data ? 'kind' and data ? 'since' then 'attention.raise'
  when data ? 'kind' and rule = 'L47' then 'attention.leave'
  when data ? 'kind' then 'attention.clear'
  else 'facts.assert' end`;

/** A person's request is recorded before its attempts: the newest entry of the same command has its outcome. */
const outcomeOfRequest = sql`(
  select jsonb_build_object('outcome', t.data -> 'outcome') from ${timeline} t
  where page.id like 'reservation/%' and page.data ? 'commandId' and not page.data ? 'outcome'
    and t.reservation_id = page.reservation_id and t.data ->> 'commandId' = page.data ->> 'commandId'
    and t.data ->> 'action' = page.data ->> 'action' and t.data ? 'outcome'
  order by t.seq desc limit 1)`;

export function createActivity(db: HandoverDb): Activity {
  return {
    async list({ since, by, cursor, limit }) {
      const asOf = Date.now();
      const from = sql`at >= ${timestamptz(since)}`;
      const found = await db.execute(sql`
        with page as (select * from (
          select ('audit/' || id) collate "C" as id, at, by, action, subject, data,
            substring(subject from '^reservation/(\\d{1,15})$')::bigint as reservation_id
          from ${audit} where ${from} and ${isDeed}
          union all
          select ('reservation/' || reservation_id || '/' || seq) collate "C", at, data ->> 'by', ${actionOfEntry},
            'reservation/' || reservation_id, data, reservation_id
          from ${timeline}
          where ${from} and kind <> 'event' and (data ? 'by' or data ? 'kind') and not ${isPrediction}
        ) as done
        where ${by === undefined ? sql`true` : sql`by = ${by}`} and ${cursor === undefined ? sql`true` : before(cursor)}
        order by done.at desc, done.id desc limit ${limit + 1})
        select page.id, (extract(epoch from page.at) * 1000)::bigint::text as at, page.by, page.action, page.subject,
          page.data || coalesce(${outcomeOfRequest}, '{}') as data, coalesce(o.car_id, c.car_id)::text as "carId"
        from page
        left join ${openReservations} o on o.reservation_id = page.reservation_id
        left join ${caseFiles} c on c.reservation_id = page.reservation_id
        order by page.at desc, page.id desc`);
      const rows = rowsOf<Omit<ActivityEntry, 'at' | 'carId'> & { at: string; carId: string | null }>(found);
      const entries = rows.map((row) => ({
        ...row,
        at: Number(row.at),
        carId: row.carId === null ? carOf(row) : Number(row.carId),
      }));
      return page(entries, limit, ({ at, id }) => `${at}.${id}`, asOf);
    },
  };
}

/** @throws CursorError */
function before(cursor: string): SQL {
  const [, at, id] = /^(\d{1,14})\.([\w/]{1,80})$/.exec(cursor) ?? [];
  if (at === undefined) throw new CursorError();
  return sql`(done.at, done.id) < (${timestamptz(Number(at))}, ${id}::text collate "C")`;
}
