import { eq, sql } from 'drizzle-orm';
import type { HandoverDb } from '../db/handover.js';
import { inbox } from '../db/schema.js';

/** What the relay has still to send: how many events, and since when the oldest waits (instant; null: none waits). */
export async function backlog(db: HandoverDb): Promise<{ events: number; oldestAt: number | null }> {
  // one that a person put back has waited since then
  const oldestAt = db
    .select({ since: sql`coalesce(${inbox.replayedAt}, ${inbox.receivedAt})`.mapWith(inbox.receivedAt) })
    .from(inbox)
    .where(eq(inbox.state, 'received'))
    .orderBy(inbox.id)
    .limit(1);
  const [[oldest], [counted]] = await Promise.all([
    oldestAt,
    db
      .select({ events: sql<number>`count(*)`.mapWith(Number) })
      .from(inbox)
      .where(eq(inbox.state, 'received')),
  ]);
  return { events: counted?.events ?? 0, oldestAt: oldest?.since ?? null };
}
