import { type SQL, sql } from 'drizzle-orm';
import { rowsOf } from './connection/rows.js';
import { CursorError } from './cursor.js';
import type { HandoverDb } from './handover.js';
import type { ListPage } from './page.js';
import { type AuditData, audit, timeline } from './schema.js';

/** What a person did, or what became of an attention item. Ids and codes; never a reason, nor anything else personal (L60). */
export interface ActivityEntry {
  /** Of the audit or the timeline: `audit/17`, `reservation/8421/5`. */
  id: string;
  at: number;
  /** Null: no person did it (an attention item was raised, or cleared itself). */
  by: string | null;
  /** Such as `dispatch.start`, `hold.create`, `attention.raise`. */
  action: string;
  /** Such as `reservation/8421`. */
  subject: string;
  data: AuditData;
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
const isDeed = sql`action <> 'photo.read'`;

/** `by` of a prediction is a moment. */
const isPrediction = sql`(kind = 'timer' and data ? 'expected')`;

/** The names that entries of the timeline do not have. */
const actionOfEntry = sql`case
  when kind = 'command' then data ->> 'action'
  when data ? 'commandId' then 'command.resolve'
  when data ? 'kind' and data ? 'by' then 'attention.resolve'
  when data ? 'kind' and data ? 'since' then 'attention.raise'
  when data ? 'kind' then 'attention.clear'
  else 'facts.assert' end`;

export function createActivity(db: HandoverDb): Activity {
  return {
    async list({ since, by, cursor, limit }) {
      const asOf = Date.now();
      const from = sql`at >= ${new Date(since).toISOString()}::timestamptz`;
      const found = await db.execute(sql`
        select id, (extract(epoch from at) * 1000)::bigint::text as at, by, action, subject, data from (
          select ('audit/' || id) collate "C" as id, at, by, action, subject, data from ${audit} where ${from} and ${isDeed}
          union all
          select ('reservation/' || reservation_id || '/' || seq) collate "C", at, data ->> 'by', ${actionOfEntry},
            'reservation/' || reservation_id, data
          from ${timeline}
          where ${from} and kind <> 'event' and (data ? 'by' or data ? 'kind') and not ${isPrediction}
        ) as done
        where ${by === undefined ? sql`true` : sql`by = ${by}`} and ${cursor === undefined ? sql`true` : before(cursor)}
        order by done.at desc, done.id desc limit ${limit + 1}`);
      const rows = rowsOf<Omit<ActivityEntry, 'at'> & { at: string }>(found);
      const items = rows.slice(0, limit).map((row) => ({ ...row, at: Number(row.at) }));
      const last = rows.length > limit ? items.at(-1) : undefined;
      return { items, nextCursor: last === undefined ? null : `${last.at}.${last.id}`, asOf };
    },
  };
}

/** @throws CursorError */
function before(cursor: string): SQL {
  const [, at, id] = /^(\d{1,14})\.([\w/]{1,80})$/.exec(cursor) ?? [];
  if (at === undefined) throw new CursorError('the cursor is not one that a page gave as nextCursor');
  return sql`(done.at, done.id) < (${new Date(Number(at)).toISOString()}::timestamptz, ${id}::text collate "C")`;
}
