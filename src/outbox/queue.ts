import { sql } from 'drizzle-orm';
import type { HandoverDb } from '../db/handover.js';
import { rowsOf } from '../db/rows.js';
import { type Destination, outbox } from '../db/schema.js';

/** A post that this process may send now. */
export interface ClaimedPost {
  id: number;
  key: string;
  messageId: string;
  path: string;
  /** Encrypted. */
  body: Uint8Array;
  /** What describes the body; null: it is JSON as it stands. */
  headers: Record<string, string> | null;
  failures: number;
}

interface Row {
  /** Null: none was claimed. */
  id: number | string | null;
  key: string;
  message_id: string;
  path: string;
  body: Uint8Array;
  headers: Record<string, string> | null;
  failures: number;
}

/** How many of the oldest posts are looked at, and how many where none of those may go: all. */
const windows = [500, 10_000, null];

/**
 * Takes the oldest posts to a destination that are due, the first of its key each: what stands behind one that waits,
 * waits too. They are this process's until `leaseMs` are over (by the database's clock), so that of several processes one
 * sends them, and those of a process that died are sent by another.
 */
export async function claimPosts(
  db: HandoverDb,
  destination: Destination,
  { most, leaseMs }: { most: number; leaseMs: number },
): Promise<ClaimedPost[]> {
  for (const window of windows) {
    const { looked, claimed } = await claimWithin(db, destination, { most, leaseMs, window });
    if (claimed.length > 0 || window === null || looked < window) return claimed;
  }
  return [];
}

/**
 * A look from the oldest on meets the first of each key before what stands behind it, so what is not first in the window is
 * not first at all; an embedded database has no statistics by which it would find a shorter way than all rows.
 */
async function claimWithin(
  db: HandoverDb,
  destination: Destination,
  { most, leaseMs, window }: { most: number; leaseMs: number; window: number | null },
): Promise<{ looked: number; claimed: ClaimedPost[] }> {
  const result = await db.execute(sql`
    with oldest as materialized (
      select id, key from outbox where destination = ${destination} order by id limit ${window}
    ), claimed as (
      update outbox set next_try_at = now() + ${leaseMs} * interval '1 millisecond'
      where id in (
        select post.id from outbox post
        where post.id in (select min(id) from oldest group by key)
          and (post.next_try_at is null or post.next_try_at <= now())
        order by post.id limit ${most} for update skip locked)
      returning id, key, message_id, path, body, headers, failures)
    select (select count(*)::integer from oldest) as looked, claimed.*
    from (select 1) one left join claimed on true`);
  const rows = rowsOf<Row & { looked: number }>(result);
  const claimed = rows
    .filter(({ id }) => id !== null)
    .map(({ id, message_id: messageId, looked: _, ...rest }) => ({ ...rest, id: Number(id), messageId }))
    .sort((a, b) => a.id - b.id);
  return { looked: rows[0]?.looked ?? 0, claimed };
}

/** The receiver has it. */
export async function removePost(db: HandoverDb, id: number): Promise<void> {
  await db.execute(sql`delete from ${outbox} where id = ${id}`);
}

/** It was not taken: its key waits. */
export async function postponePost(
  db: HandoverDb,
  id: number,
  { code, waitMs }: { code: string; waitMs: number },
): Promise<void> {
  await db.execute(sql`
    update ${outbox} set failures = failures + 1, last_error = ${code},
      next_try_at = now() + ${waitMs} * interval '1 millisecond'
    where id = ${id}`);
}

/** Nobody tried it after all: it is due at once, for whoever looks next. */
export async function releasePost(db: HandoverDb, id: number): Promise<void> {
  await db.execute(sql`update ${outbox} set next_try_at = null where id = ${id}`);
}

/** Removes what has waited longer than `olderThanMs`, taken or not. @returns the ids of the messages */
export async function dropOldPosts(
  db: HandoverDb,
  destination: Destination,
  olderThanMs: number,
): Promise<string[]> {
  const result = await db.execute(sql`
    delete from ${outbox}
    where destination = ${destination} and created_at < now() - ${olderThanMs} * interval '1 millisecond'
    returning message_id`);
  return rowsOf<{ message_id: string }>(result).map((row) => row.message_id);
}

/** Posts that wait. */
export interface WaitingPosts {
  /** Counted up to 25,000, beyond which the age tells more. */
  posts: number;
  /** Since when the oldest of them; an instant, null: none waits. */
  oldestAt: number | null;
}

const countedTo = 25_000;

export async function waitingPosts(db: HandoverDb, destination: Destination): Promise<WaitingPosts> {
  const result = await db.execute(sql`
    select count(*)::integer as posts, extract(epoch from min(created_at)) * 1000 as oldest
    from (select created_at from outbox where destination = ${destination} order by id limit ${countedTo}) waiting`);
  const [row] = rowsOf<{ posts: number; oldest: number | string | null }>(result);
  const oldest = row?.oldest ?? null;
  return { posts: row?.posts ?? 0, oldestAt: oldest === null ? null : Number(oldest) };
}
