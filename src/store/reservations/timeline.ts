import { and, asc, eq, gt } from 'drizzle-orm';
import type { TimelineEntry } from '../../domain/reservation/types.js';
import { cursorOf } from '../cursor.js';
import type { HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { timeline } from '../schema.js';

export interface Timeline {
  /** One reservation's entries in their order; none for an unknown reservation. */
  read(reservationId: number, range: { cursor?: string; limit: number }): Promise<ListPage<TimelineEntry>>;
}

export function createTimeline(db: HandoverDb): Timeline {
  return {
    async read(reservationId, range) {
      const after = cursorOf(range.cursor, 2 ** 31 - 1);
      const { seq, at, kind, rule, text, data } = timeline;
      const rows = await db
        .select({ seq, at, kind, rule, text, data })
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
