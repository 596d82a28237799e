import { type SQL, sql } from 'drizzle-orm';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';
import { type Destination, outbox } from '../schema.js';

/** A post that this process may send now. */
export interface ClaimedPost {
  id: number;
  key: string;
  messageId: string;
  path: string;
  /** Encrypted. */
  body: Uint8Array;
  /** Headers that describe the body; null: it is plain JSON. */
  headers: Record<string, string> | null;
  failures: number;
  /** Milliseconds since the first of its latest refusals in a row (4xx); 0: the last attempt was not refused. */
  refusedForMs: number;
  /** Distinguishes this claim from that of another process after the lease was over. */
  claim: string;
}

interface Row {
  /** Null: no post was claimed. */
  id: number | string | null;
  key: string;
  message_id: string;
  path: string;
  body: Uint8Array;
  headers: Record<string, string> | null;
  failures: number;
  refused_ms: number | string;
  claim: string;
}

/** Number of oldest posts to examine; the next number applies where none of those may be sent; null: all posts. */
const scanLimits = [500, 10_000, null];

/**
 * Claims the oldest due posts to a destination, each the first of its key: a post behind a waiting one waits too. They
 * belong to this process until `leaseMs` are over (by the database's clock), so that only one process sends them, and those
 * of a process that died are sent by another.
 */
export async function claimPosts(
  db: HandoverDb,
  destination: Destination,
  { most, leaseMs }: { most: number; leaseMs: number },
): Promise<ClaimedPost[]> {
  for (const limit of scanLimits) {
    const { scanned, claimed } = await claimWithin(db, destination, { most, leaseMs, limit });
    if (claimed.length > 0 || limit === null || scanned < limit) return claimed;
  }
  return [];
}

/**
 * Reads from the oldest post on. The first of each key comes before the others of that key, so examining some of the oldest
 * posts is enough; an embedded database has no statistics, and would otherwise read all rows. `due` is materialized, because a plan may
 * evaluate a subquery more than once, and claim more than `most`.
 */
async function claimWithin(
  db: HandoverDb,
  destination: Destination,
  { most, leaseMs, limit }: { most: number; leaseMs: number; limit: number | null },
): Promise<{ scanned: number; claimed: ClaimedPost[] }> {
  const result = await db.execute(sql`
    with oldest as materialized (
      select id, key from outbox where destination = ${destination} and dead_at is null order by id limit ${limit}
    ), due as materialized (
      select post.id from outbox post
      where post.id in (select min(id) from oldest group by key)
        and (post.next_try_at is null or post.next_try_at <= now())
      order by post.id limit ${most} for update skip locked
    ), claimed as (
      update outbox set next_try_at = now() + ${leaseMs} * interval '1 millisecond'
      where id in (select id from due)
      returning id, key, message_id, path, body, headers, failures, next_try_at::text as claim,
        coalesce(extract(epoch from now() - refused_since) * 1000, 0) as refused_ms)
    select (select count(*)::integer from oldest) as looked, claimed.*
    from (select 1) one left join claimed on true`);
  const rows = rowsOf<Row & { looked: number }>(result);
  const claimed = rows
    .filter(({ id }) => id !== null)
    .map(({ id, message_id: messageId, refused_ms: refusedMs, looked: _, ...rest }) => ({
      ...rest,
      id: Number(id),
      messageId,
      refusedForMs: Number(refusedMs),
    }))
    .sort((a, b) => a.id - b.id);
  return { scanned: rows[0]?.looked ?? 0, claimed };
}

/** Removes a post that the receiver has accepted. */
export async function removePost(db: HandoverDb, id: number): Promise<void> {
  await db.execute(sql`delete from ${outbox} where id = ${id}`);
}

/** A post by its claim: after another process has claimed it, only that process may change it. */
type Claimed = Pick<ClaimedPost, 'id' | 'claim'>;

function isClaimed({ id, claim }: Claimed): SQL {
  return sql`id = ${id} and next_try_at = ${claim}::timestamptz`;
}

/** Delays a post that was not accepted: its key waits. @param isRefused with a 4xx */
export async function postponePost(
  db: HandoverDb,
  post: Claimed,
  { code, waitMs, isRefused }: { code: string; waitMs: number; isRefused: boolean },
): Promise<void> {
  await db.execute(sql`
    update ${outbox} set failures = failures + 1, last_error = ${code},
      refused_since = case when ${isRefused} then coalesce(refused_since, now()) end,
      next_try_at = now() + ${waitMs} * interval '1 millisecond'
    where ${isClaimed(post)}`);
}

/** Makes a post a dead letter, which waits for an operator; the posts behind it continue. */
export async function markDead(db: HandoverDb, post: Claimed, code: string): Promise<void> {
  await db.execute(sql`
    update ${outbox} set failures = failures + 1, last_error = ${code}, dead_at = now(), next_try_at = null
    where ${isClaimed(post)}`);
}

/** Gives up the claim on a post that was not tried: it is due at once, for any process. */
export async function releasePost(db: HandoverDb, post: Claimed): Promise<void> {
  await db.execute(sql`update ${outbox} set next_try_at = null where ${isClaimed(post)}`);
}

/**
 * Removes posts that have waited longer than `olderThanMs`, claimed or not; a dead letter counts from when it was given up.
 * The age is measured by the database's clock, whatever date the post has.
 * @returns the ids of the messages
 */
export async function dropOldPosts(
  db: HandoverDb,
  destination: Destination,
  olderThanMs: number,
): Promise<string[]> {
  const result = await db.execute(sql`
    delete from ${outbox}
    where destination = ${destination}
      and coalesce(dead_at, stored_at) < now() - ${olderThanMs} * interval '1 millisecond'
    returning message_id`);
  return rowsOf<{ message_id: string }>(result).map((row) => row.message_id);
}

/** Posts that wait. */
export interface WaitingPosts {
  /** Counted up to 25,000, beyond which the age is more useful. */
  posts: number;
  /** Since when the oldest waits; an instant, null: none waits. */
  oldestAt: number | null;
}

const countedTo = 25_000;

export async function waitingPosts(db: HandoverDb, destination: Destination): Promise<WaitingPosts> {
  const result = await db.execute(sql`
    select count(*)::integer as posts, extract(epoch from min(at)) * 1000 as oldest
    from (select stored_at as at from outbox
      where destination = ${destination} and dead_at is null order by id limit ${countedTo}) waiting`);
  const [row] = rowsOf<{ posts: number; oldest: number | string | null }>(result);
  const oldest = row?.oldest ?? null;
  return { posts: row?.posts ?? 0, oldestAt: oldest === null ? null : Number(oldest) };
}

/** How many were given up, counted up to `upTo`. */
export async function deadPosts(db: HandoverDb, destination: Destination, upTo = countedTo): Promise<number> {
  const result = await db.execute(sql`
    select count(*)::integer as posts
    from (select 1 from outbox where destination = ${destination} and dead_at is not null limit ${upTo}) dead`);
  return rowsOf<{ posts: number }>(result)[0]?.posts ?? 0;
}
