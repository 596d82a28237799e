import { and, desc, isNull, sql } from 'drizzle-orm';
import type { InboxState } from '../contract/inbox.js';
import type { HandoverDb } from '../db/handover.js';
import { inbox } from '../db/schema.js';
import { hasState } from './selection.js';

/** When events came; instants, null: there is none. */
export interface InboxTimes {
  oldestWaitingAt: number | null;
  /** Since when the oldest is with its workflow that has no verdict. */
  oldestUnjudgedAt: number | null;
  newestAt: number | null;
}

/** What the inbox looks like from outside; times are instants, null: there is none. */
export interface Backlog {
  /** What the relay has still to send; counted up to 25,000, beyond which the age tells more. */
  events: number;
  oldestAt: number | null;
  /** Since when the oldest is with its workflow that has no verdict: after seconds it has one, or something is broken. */
  unjudgedAt: number | null;
  newestAt: number | null;
  /** Counted the same way. */
  deadLetters: number;
}

const countedTo = 25_000;

export async function backlog(db: HandoverDb): Promise<Backlog> {
  const [{ oldestWaitingAt, oldestUnjudgedAt, newestAt }, events, deadLetters] = await Promise.all([
    inboxTimes(db),
    countOf(db, 'received', countedTo),
    countOf(db, 'dead', countedTo),
  ]);
  return { events, oldestAt: oldestWaitingAt, unjudgedAt: oldestUnjudgedAt, newestAt, deadLetters };
}

/** Costs nothing, however much waits. */
export async function inboxTimes(db: HandoverDb): Promise<InboxTimes> {
  const { receivedAt, replayedAt, sentAt } = inbox;
  const waiting = hasState('received');
  const [[head], [oldest], [unjudged], [newest]] = await Promise.all([
    db.select({ receivedAt, replayedAt }).from(inbox).where(waiting).orderBy(inbox.id).limit(1),
    db
      .select({ receivedAt })
      .from(inbox)
      .where(and(waiting, isNull(replayedAt)))
      .orderBy(inbox.id)
      .limit(1),
    db.select({ sentAt }).from(inbox).where(hasState('sent')).orderBy(inbox.id).limit(1),
    db.select({ receivedAt }).from(inbox).orderBy(desc(inbox.id)).limit(1),
  ]);
  // one that a person put back has waited since then
  const since = [head && (head.replayedAt ?? head.receivedAt), oldest?.receivedAt];
  const known = since.filter((at) => at !== undefined);
  return {
    oldestWaitingAt: known.length === 0 ? null : Math.min(...known),
    oldestUnjudgedAt: unjudged?.sentAt ?? null,
    newestAt: newest?.receivedAt ?? null,
  };
}

export async function hasDeadLetters(db: HandoverDb): Promise<boolean> {
  return (await countOf(db, 'dead', 1)) > 0;
}

async function countOf(db: HandoverDb, state: InboxState, upTo: number): Promise<number> {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(inbox)
    .where(hasState(state))
    .limit(upTo)
    .as('some');
  const [counted] = await db.select({ rows: sql<number>`count(*)`.mapWith(Number) }).from(some);
  return counted?.rows ?? 0;
}
