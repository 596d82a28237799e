import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { ReservationEvent } from '../../domain/reservation/types.js';
import type { InboxEvent } from '../../store/callbacks/types.js';
import type { HandoverDb } from '../../store/handover.js';
import { entryColumns } from '../../store/reservations/timeline.js';
import { inbox, inboxReplays, timeline } from '../../store/schema.js';
import { textOf } from '../event/decode.js';
import { type ReadingTools, readEvent } from '../event/read-event.js';

/** One stored event with its timeline entries and earlier readings; undefined: no such event. */
export async function readInboxEvent(
  db: HandoverDb,
  tools: ReadingTools,
  id: number,
): Promise<InboxEvent | undefined> {
  const [found] = await db.select().from(inbox).where(eq(inbox.id, id));
  if (found === undefined) return undefined;
  const { raw: _, contentHash: __, resentAt: ___, ...row } = found;
  const { body, event, unreadable } = readEvent(found, tools);
  const { inboxId, ...columns } = getTableColumns(inboxReplays);
  const [timeline, earlier] = [
    row.reservationId === null ? [] : await timelineOf(db, row.reservationId, id),
    await db.select(columns).from(inboxReplays).where(eq(inboxId, id)).orderBy(asc(columns.replay)),
  ];
  return { ...row, raw: toRaw(body), event: withoutHash(event), unreadable, timeline, earlier };
}

async function timelineOf(
  db: HandoverDb,
  reservationId: number,
  id: number,
): Promise<InboxEvent['timeline']> {
  return db
    .select(entryColumns)
    .from(timeline)
    .where(
      and(
        eq(timeline.reservationId, reservationId),
        sql`${timeline.data} @> ${JSON.stringify({ inboxId: id })}::text::jsonb`,
      ),
    )
    .orderBy(asc(timeline.seq));
}

/** Left out because guesses of the personal data could be tried against an unkeyed hash. */
function withoutHash(event: ReservationEvent | null): InboxEvent['event'] {
  if (event === null) return null;
  const { contentHash: _, ...rest } = event;
  return rest;
}

function toRaw(body: Uint8Array | null): InboxEvent['raw'] {
  if (body === null) return null;
  const text = textOf(body);
  return text === null
    ? { encoding: 'base64', content: Buffer.from(body).toString('base64') }
    : { encoding: 'utf-8', content: text };
}
