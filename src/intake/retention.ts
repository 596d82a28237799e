import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { HandoverDb } from '../db/handover.js';
import { rowsOf } from '../db/rows.js';

export interface RetentionOptions {
  db: HandoverDb;
  /** How long body and headers of an event are kept. Milliseconds, from its receipt. */
  bodiesMs: number;
  /** How long the rest is: identity, verdict, counters. */
  verdictsMs: number;
  /** Rows of one statement, and the pause after it: the receiver wants the same database. */
  batch?: number;
  pauseMs?: number;
}

/**
 * Folds what is old: an event that has its verdict loses its body and headers; later its row goes
 * too, and nothing but the lines of its reservation's timeline tells of it. What has none is kept: a dead
 * letter waits for a person.
 * @param now an instant
 * @returns how many rows were folded, and how many removed
 */
export async function foldOld(
  { db, bodiesMs, verdictsMs, batch = 200, pauseMs = 50 }: RetentionOptions,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<{ folded: number; removed: number }> {
  const inBatches = async (work: (size: number) => Promise<number>) => {
    let all = 0;
    for (let done = batch; done === batch && !isStopping(); ) {
      done = await work(batch);
      all += done;
      if (done === batch) await sleep(pauseMs);
    }
    return all;
  };
  // whoever keeps all for ever says so with a duration that no calendar of a database reaches back
  const ago = (ms: number) => new Date(Math.max(0, now - ms));
  const folded = await inBatches((size) => fold(db, ago(bodiesMs), size));
  const removed = await inBatches((size) => remove(db, ago(verdictsMs), size));
  return { folded, removed };
}

/** Rows are looked at in order of arrival: with the first that is young enough all is done. */
async function fold(db: HandoverDb, before: Date, size: number): Promise<number> {
  const result = await db.execute(sql`
    with oldest as (
      select id, received_at from inbox where state = 'done' and raw is not null order by id limit ${size}
    )
    update inbox set raw = null, headers = '{}'::jsonb
    from oldest where inbox.id = oldest.id and oldest.received_at < ${before.toISOString()}
    returning 1`);
  return rowsOf(result).length;
}

async function remove(db: HandoverDb, before: Date, size: number): Promise<number> {
  const result = await db.execute(sql`
    with oldest as (
      select id, received_at from inbox where state = 'done' order by id limit ${size}
    ), removed as (
      delete from inbox using oldest
      where inbox.id = oldest.id and oldest.received_at < ${before.toISOString()}
      returning inbox.id
    ), replays as (
      delete from inbox_replays where inbox_id in (select id from removed)
    )
    select id from removed`);
  return rowsOf(result).length;
}
