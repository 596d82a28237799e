import { and, type SQL, sql } from 'drizzle-orm';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';
import { inbox } from '../schema.js';
import { hasState } from './selection.js';
import type { InboxState } from './states.js';

/** Times of events in the inbox; instants, null: there is none. */
export interface InboxTimes {
  oldestWaitingAt: number | null;
  /** When the oldest event was sent that has no verdict. */
  oldestUnjudgedAt: number | null;
  newestAt: number | null;
}

/** The state of the inbox; times are instants, null: there is none. */
export interface Backlog {
  /** Events that the relay still has to send; counted up to 25,000, beyond which the age is more useful. */
  events: number;
  oldestAt: number | null;
  /** When the oldest event was sent that has no verdict: after some seconds without one, something is broken. */
  unjudgedAt: number | null;
  newestAt: number | null;
  /** Counted the same way. */
  deadLetters: number;
  /** Sends that were repeated because no verdict came, of all callbacks that are stored. */
  resends: number;
}

const countedTo = 25_000;

export async function backlog(db: HandoverDb): Promise<Backlog> {
  const [{ oldestWaitingAt, oldestUnjudgedAt, newestAt }, events, deadLetters, resends] = await Promise.all([
    inboxTimes(db),
    countOf(db, 'received', countedTo),
    countOf(db, 'dead', countedTo),
    resendsOf(db),
  ]);
  const times = { oldestAt: oldestWaitingAt, unjudgedAt: oldestUnjudgedAt, newestAt };
  return { events, ...times, deadLetters, resends };
}

/** Events that were sent and have no verdict, and those of them that are sent again; of each 25,000 at most. */
export async function countUnjudged(db: HandoverDb): Promise<number> {
  const [sent, resent] = await Promise.all([
    countOf(db, 'sent', countedTo),
    // a literal, so that the planner can use the partial index
    countOf(db, 'received', countedTo, sql`${inbox.resends} > 0`),
  ]);
  return sent + resent;
}

/** Number of oldest events that are read, so that one with a wrong date does not hide the others. */
const oldestRead = 100;

/** Its cost does not grow with the backlog. */
export async function inboxTimes(db: HandoverDb): Promise<InboxTimes> {
  const result = await db.execute(sql`
    select
      least(
        -- one that was put back has waited since then
        (select min(coalesce(resent_at, replayed_at, received_at)) from (
          select resent_at, replayed_at, received_at from inbox
          where state = 'received' order by id limit ${oldestRead}) oldest),
        (select min(received_at) from (
          select received_at from inbox
          where state = 'received' and replayed_at is null and resent_at is null order by id limit ${oldestRead}) oldest)
      ) as waiting,
      least(
        (select min(sent_at) from (
          select sent_at from inbox where state = 'sent' order by id limit ${oldestRead}) oldest),
        -- sent again, and on its way
        (select min(sent_at) from (
          select sent_at from inbox where state = 'received' and resends > 0 order by id limit ${oldestRead}) oldest)
      ) as unjudged,
      (select received_at from inbox order by id desc limit 1) as newest`);
  const [times] = rowsOf<Record<'waiting' | 'unjudged' | 'newest', string | Date | null>>(result);
  const instant = (at: string | Date | null | undefined) => (at == null ? null : new Date(at).getTime());
  return {
    oldestWaitingAt: instant(times?.waiting),
    oldestUnjudgedAt: instant(times?.unjudged),
    newestAt: instant(times?.newest),
  };
}

export async function hasDeadLetters(db: HandoverDb): Promise<boolean> {
  return (await countOf(db, 'dead', 1)) > 0;
}

/** Whether at least so many events wait for the relay, or for their verdict. */
export async function hasUnjudged(db: HandoverDb, atLeast: number): Promise<boolean> {
  const waiting = await countOf(db, 'received', atLeast);
  return waiting >= atLeast || waiting + (await countOf(db, 'sent', atLeast)) >= atLeast;
}

async function countOf(db: HandoverDb, state: InboxState, upTo: number, condition?: SQL): Promise<number> {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(inbox)
    .where(and(hasState(state), condition))
    .limit(upTo)
    .as('some');
  const [counted] = await db.select({ rows: sql<number>`count(*)`.mapWith(Number) }).from(some);
  return counted?.rows ?? 0;
}

async function resendsOf(db: HandoverDb): Promise<number> {
  const { resends, state } = inbox;
  const [sum] = await db
    .select({ all: sql<number>`coalesce(sum(${resends}), 0)`.mapWith(Number) })
    .from(inbox)
    // names every state: an embedded database has no statistics, and would otherwise read the whole inbox
    .where(sql`${resends} > 0 and ${state} in ('received', 'sent', 'done', 'dead')`);
  return sum?.all ?? 0;
}
