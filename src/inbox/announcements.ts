import { and, asc, eq, gt, gte, inArray, isNotNull, or } from 'drizzle-orm';
import type { Announcements } from '../store/bookings/lost.js';
import type { HandoverDb } from '../store/handover.js';
import { inbox } from '../store/schema.js';
import { type ReadingTools, readEvent } from './event/read-event.js';

/** Reads the callbacks that carry a whole reservation: lost bookings are searched for among them (F31). */
export function createAnnouncements(db: HandoverDb, tools: ReadingTools): Announcements {
  return {
    async read({ from, after, limit }) {
      const rows = await db
        .select()
        .from(inbox)
        .where(
          and(
            gte(inbox.receivedAt, after?.receivedAt ?? from),
            after === undefined
              ? undefined
              : or(gt(inbox.receivedAt, after.receivedAt), gt(inbox.id, after.id)),
            inArray(inbox.channel, ['registration', 'update']),
            isNotNull(inbox.reservationId),
            isNotNull(inbox.raw),
          ),
        )
        .orderBy(asc(inbox.receivedAt), asc(inbox.id))
        .limit(limit);
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return {
        announcements: rows.flatMap((row) => {
          const { event } = readEvent(row, tools);
          if (event === null || row.reservationId === null) return [];
          return [
            { ...event, reservationId: row.reservationId, isRegistration: row.channel === 'registration' },
          ];
        }),
        ...(last !== undefined && { more: { receivedAt: last.receivedAt, id: last.id } }),
      };
    },
    async registered(reservationIds) {
      if (reservationIds.length === 0) return [];
      const rows = await db
        .selectDistinct({ id: inbox.reservationId })
        .from(inbox)
        .where(and(inArray(inbox.reservationId, reservationIds), eq(inbox.channel, 'registration')));
      return rows.flatMap(({ id }) => id ?? []);
    },
  };
}
