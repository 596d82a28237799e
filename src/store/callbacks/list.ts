import { and, desc, lt } from 'drizzle-orm';
import { cursorOf } from '../cursor.js';
import type { HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { inbox } from '../schema.js';
import { toCondition } from './selection.js';
import type { InboxFilter, InboxItem } from './types.js';

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
      resends: inbox.resends,
      verdict: inbox.verdict,
      rule: inbox.rule,
      verdictAt: inbox.verdictAt,
      failures: inbox.failures,
      lastError: inbox.lastError,
      replays: inbox.replays,
      replayedAt: inbox.replayedAt,
    })
    .from(inbox)
    .where(and(before === undefined ? undefined : lt(inbox.id, before), toCondition(filter)))
    .orderBy(desc(inbox.id))
    .limit(filter.limit + 1);
  return page(rows, filter.limit, (row) => row.id, Date.now());
}
