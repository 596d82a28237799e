import { setTimeout as sleep } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { rowsOf } from '../store/connection/rows.js';
import type { HandoverDb } from '../store/handover.js';

export interface RetentionOptions {
  db: HandoverDb;
  /** How long body and headers of an event are stored, in milliseconds from its receipt. */
  bodiesMs: number;
  /** How long the rest is stored: identity, verdict, counters. */
  verdictsMs: number;
  /** Rows of one statement, and the pause after it, because the receiver uses the same database. */
  batch?: number;
  pauseMs?: number;
}

/**
 * Purges old events: one with a verdict loses its body and headers; later its row is deleted, and only the timeline
 * entries of its reservation remain. An event without a verdict stays: a dead letter waits for a person.
 * @param now an instant
 * @returns how many rows were purged, and how many removed
 */
export async function purgeOld(
  { db, bodiesMs, verdictsMs, batch = 200, pauseMs = 50 }: RetentionOptions,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<{ purged: number; removed: number }> {
  const inBatches = async (work: (size: number) => Promise<number>) => {
    let all = 0;
    for (let done = batch; done === batch && !isStopping(); ) {
      done = await work(batch);
      all += done;
      if (done === batch) await sleep(pauseMs);
    }
    return all;
  };
  // operators who never purge set a duration that reaches back beyond what the database can represent
  const ago = (ms: number) => new Date(Math.max(0, now - ms));
  const today = new Date(now);
  const purged = await inBatches((size) => purge(db, { before: ago(bodiesMs), now: today, size }));
  const removed = await inBatches((size) => remove(db, { before: ago(verdictsMs), now: today, size }));
  return { purged, removed };
}

/**
 * The next rows that are due, by the index on the time of receipt. A row that a wrong clock dated in the future comes last
 * there, so it delays no other; it is due by its verdict's date.
 */
function oldest(due: SQL, { before, now, size }: Due): SQL {
  return sql`
    select id from (
      (select id from inbox where ${due} and received_at < ${before.toISOString()} order by received_at limit ${size})
      union all
      (select id from inbox where ${due} and received_at > ${now.toISOString()}
        and verdict_at < ${before.toISOString()} order by received_at limit ${size})
    ) due limit ${size}`;
}

interface Due {
  before: Date;
  now: Date;
  size: number;
}

async function purge(db: HandoverDb, due: Due): Promise<number> {
  const result = await db.execute(sql`
    with oldest as (${oldest(sql`state = 'done' and raw is not null`, due)})
    update inbox set raw = null, headers = '{}'::jsonb
    from oldest where inbox.id = oldest.id
    returning 1`);
  return rowsOf(result).length;
}

async function remove(db: HandoverDb, due: Due): Promise<number> {
  const result = await db.execute(sql`
    with oldest as (${oldest(sql`state = 'done'`, due)}), removed as (
      delete from inbox using oldest where inbox.id = oldest.id returning inbox.id
    ), replays as (
      delete from inbox_replays where inbox_id in (select id from removed)
    )
    select id from removed`);
  return rowsOf(result).length;
}
