import { and, asc, desc, eq, gt, lt } from 'drizzle-orm';
import type { InboxFilter, InboxItem } from '../contract/inbox.js';
import type { HandoverDb } from '../db/handover.js';
import { type ListPage, page } from '../db/page.js';
import { inbox, timeline } from '../db/schema.js';
import { CursorError } from '../http/cursor.js';
import type { TimelineEntry } from '../lifecycle/types.js';
import { matching } from './selection.js';

/** Events in the inbox, the newest first. */
export async function listInbox(db: HandoverDb, filter: InboxFilter): Promise<ListPage<InboxItem>> {
  const before = cursorOf(filter.cursor, Number.MAX_SAFE_INTEGER);
  const rows = await db
    .select({
      id: inbox.id,
      eventId: inbox.eventId,
      channel: inbox.channel,
      reservationId: inbox.reservationId,
      receivedAt: inbox.receivedAt,
      copies: inbox.copies,
      state: inbox.state,
      sentAt: inbox.sentAt,
      verdict: inbox.verdict,
      rule: inbox.rule,
      verdictAt: inbox.verdictAt,
      failures: inbox.failures,
      lastError: inbox.lastError,
      replays: inbox.replays,
      replayedAt: inbox.replayedAt,
    })
    .from(inbox)
    .where(and(before === undefined ? undefined : lt(inbox.id, before), matching(filter)))
    .orderBy(desc(inbox.id))
    .limit(filter.limit + 1);
  return page(rows, filter.limit, (row) => row.id, Date.now());
}

/** One reservation's story in its order; empty for a reservation nobody knows. */
export async function readTimeline(
  db: HandoverDb,
  reservationId: number,
  range: { cursor?: string; limit: number },
): Promise<ListPage<TimelineEntry>> {
  const after = cursorOf(range.cursor, 2 ** 31 - 1);
  const { seq, at, kind, rule, text, data } = timeline;
  const rows = await db
    .select({ seq, at, kind, rule, text, data })
    .from(timeline)
    .where(and(eq(timeline.reservationId, reservationId), after === undefined ? undefined : gt(seq, after)))
    .orderBy(asc(seq))
    .limit(range.limit + 1);
  return page(rows, range.limit, (row) => row.seq, Date.now());
}

/** @throws CursorError for what is no key of the list: a whole number up to `largest`. */
export function cursorOf(cursor: string | undefined, largest: number): number | undefined {
  if (cursor === undefined) return undefined;
  const key = /^\d{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (!(key <= largest)) throw new CursorError('the cursor is not one that a page gave as nextCursor');
  return key;
}
