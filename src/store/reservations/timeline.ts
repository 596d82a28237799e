import { and, asc, eq, gt } from 'drizzle-orm';
import type { TimelineEntry } from '../../domain/reservation/types.js';
import type { Message } from '../../domain/shared/message.js';
import { cursorOf } from '../cursor.js';
import type { HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { timeline } from '../schema.js';

/** A stored entry; `messages` null: an earlier release stored it, with its text alone. */
export type StoredEntry = Omit<TimelineEntry, 'nth' | 'attention' | 'messages'> & {
  messages?: Message[] | null;
};

const { seq, at, kind, rule, text, messages, data } = timeline;
/** Of a `StoredEntry`. */
export const entryColumns = { seq, at, kind, rule, text, messages, data };

export interface Timeline {
  /** One reservation's entries in their order; none for an unknown reservation. */
  read(reservationId: number, range: { cursor?: string; limit: number }): Promise<ListPage<StoredEntry>>;
}

export function createTimeline(db: HandoverDb): Timeline {
  return {
    async read(reservationId, range) {
      const after = cursorOf(range.cursor, 2 ** 31 - 1);
      const rows = await db
        .select(entryColumns)
        .from(timeline)
        .where(
          and(eq(timeline.reservationId, reservationId), after === undefined ? undefined : gt(seq, after)),
        )
        .orderBy(asc(seq))
        .limit(range.limit + 1);
      return page(rows, range.limit, (row) => row.seq, Date.now());
    },
  };
}
