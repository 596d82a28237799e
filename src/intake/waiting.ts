import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { HandoverDb } from '../db/handover.js';
import { inbox } from '../db/schema.js';
import type { StoredEvent } from './normalise.js';

/** What waits for one reservation, in order of arrival. */
export interface WaitingBatch {
  reservationId: number;
  rows: StoredEvent[];
}

export interface WaitingQuery {
  /** Reservations to leave alone: on their way, or to be tried later. */
  except: number[];
  /** At most so many reservations. */
  reservations: number;
  /** Bounds of one batch; its first event goes in any case. */
  maxEvents: number;
  maxBytes: number;
}

export interface Waiting {
  batches: WaitingBatch[];
  /** Rows whose reservation could not be read (L63). */
  unreadable: number[];
}

/** So many of the oldest rows are looked at in one go: a long backlog costs no more than a short one. */
const lookAt = 500;

/** The oldest waiting events, grouped by reservation, the longest waiting reservation first. */
export async function waitingEvents(db: HandoverDb, query: WaitingQuery): Promise<Waiting> {
  const waiting = eq(inbox.state, 'received');
  // parameters one by one would make a new statement for each length
  const except = sql`${inbox.reservationId} in (select jsonb_array_elements_text(${JSON.stringify(query.except)}::text::jsonb)::bigint)`;
  const oldest = await db
    .select({ id: inbox.id, reservationId: inbox.reservationId })
    .from(inbox)
    .where(and(waiting, query.except.length === 0 ? undefined : sql`${except} is not true`))
    .orderBy(asc(inbox.id))
    .limit(lookAt);
  const unreadable = oldest.filter(({ reservationId }) => reservationId === null).map(({ id }) => id);
  const known = oldest.flatMap(({ reservationId }) => reservationId ?? []);
  const chosen = [...new Set(known)].slice(0, query.reservations);
  return { batches: await batchesOf(db, chosen, query), unreadable };
}

async function batchesOf(
  db: HandoverDb,
  reservations: number[],
  query: WaitingQuery,
): Promise<WaitingBatch[]> {
  if (reservations.length === 0) return [];
  const ranked = db.$with('ranked').as(
    db
      .select({
        id: inbox.id,
        place: sql<number>`row_number() over upTo`.as('place'),
        bytes: sql<number>`sum(octet_length(${inbox.raw})) over upTo`.as('bytes'),
      })
      .from(inbox)
      .where(
        sql`${and(eq(inbox.state, 'received'), inArray(inbox.reservationId, reservations))} window upTo as (partition by ${inbox.reservationId} order by ${inbox.id})`,
      ),
  );
  const rows = await db
    .with(ranked)
    .select({
      id: inbox.id,
      reservationId: inbox.reservationId,
      identity: inbox.identity,
      eventId: inbox.eventId,
      channel: inbox.channel,
      receivedAt: inbox.receivedAt,
      raw: inbox.raw,
    })
    .from(inbox)
    .innerJoin(ranked, eq(inbox.id, ranked.id))
    .where(
      sql`${ranked.place} <= ${query.maxEvents} and (${ranked.bytes} <= ${query.maxBytes} or ${ranked.place} = 1)`,
    )
    .orderBy(asc(inbox.id));
  return reservations.map((reservationId) => ({
    reservationId,
    rows: rows.filter((row) => row.reservationId === reservationId),
  }));
}

/** When the oldest event that still waits arrived, and how many wait; null and 0 where none does. */
export async function backlog(db: HandoverDb): Promise<{ waiting: number; oldestAt: number | null }> {
  const [row] = await db
    .select({
      waiting: sql<number>`count(*)`.mapWith(Number),
      oldestAt: sql<number | null>`min(${inbox.receivedAt})`.mapWith(inbox.receivedAt),
    })
    .from(inbox)
    .where(eq(inbox.state, 'received'));
  return { waiting: row?.waiting ?? 0, oldestAt: row?.oldestAt ?? null };
}
