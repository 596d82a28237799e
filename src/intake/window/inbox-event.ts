import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { HandoverDb } from '../../db/handover.js';
import { type InboxState, inbox, inboxReplays, timeline } from '../../db/schema.js';
import type { ReservationEvent, TimelineEntry, Verdict } from '../../lifecycle/types.js';
import type { InboxItem } from '../reads.js';
import { type ReadingTools, read, textOf, type Unreadable } from './reading.js';

/** Everything that is known of one stored event. Times are instants. */
export interface InboxEvent extends InboxItem {
  /** What `eventId` is. */
  identity: 'webhook-id' | 'content';
  path: string;
  /** Those that are kept. */
  headers: Record<string, string>;
  /** The body as it came, its content coding taken off where that can be; null where it is gone or cannot be decrypted. */
  raw: { encoding: 'utf-8' | 'base64'; content: string } | null;
  /** As today's code and profile read it. */
  event: Omit<ReservationEvent, 'contentHash'> | null;
  unreadable: Unreadable | null;
  /** The lines of its reservation's story that tell of it. */
  timeline: Omit<TimelineEntry, 'attention'>[];
  /** What stood here before each time that a person had it read again, the first time first. */
  earlier: EarlierReading[];
}

interface EarlierReading {
  /** Which time it was read again then, from 1. */
  replay: number;
  at: number;
  by: string;
  reservationId: number | null;
  state: InboxState;
  verdict: Verdict | null;
  rule: string | null;
  verdictAt: number | null;
  failures: number;
  lastError: string | null;
}

/** One stored event with its story; undefined: no such event. */
export async function readInboxEvent(
  db: HandoverDb,
  tools: ReadingTools,
  id: number,
): Promise<InboxEvent | undefined> {
  const [found] = await db.select().from(inbox).where(eq(inbox.id, id));
  if (found === undefined) return undefined;
  const { raw: sealed, contentHash: _, ...row } = found;
  const { body, event, unreadable } = read(
    { ...row, sealed, coding: row.headers['content-encoding'] },
    tools,
  );
  const { inboxId, ...kept } = getTableColumns(inboxReplays);
  const [lines, earlier] = [
    row.reservationId === null ? [] : await linesOf(db, row.reservationId, id),
    await db.select(kept).from(inboxReplays).where(eq(inboxId, id)).orderBy(asc(kept.replay)),
  ];
  return { ...row, raw: shown(body), event: withoutHash(event), unreadable, timeline: lines, earlier };
}

async function linesOf(db: HandoverDb, reservationId: number, id: number): Promise<InboxEvent['timeline']> {
  const { seq, at, kind, rule, text, data } = timeline;
  return db
    .select({ seq, at, kind, rule, text, data })
    .from(timeline)
    .where(
      and(
        eq(timeline.reservationId, reservationId),
        sql`${data} @> ${JSON.stringify({ inboxId: id })}::text::jsonb`,
      ),
    )
    .orderBy(asc(seq));
}

/** An unkeyed hash of what holds personal data could be tried against guesses. */
function withoutHash(event: ReservationEvent | null): InboxEvent['event'] {
  if (event === null) return null;
  const { contentHash: _, ...said } = event;
  return said;
}

function shown(body: Uint8Array | null): InboxEvent['raw'] {
  if (body === null) return null;
  const text = textOf(body);
  return text === null
    ? { encoding: 'base64', content: Buffer.from(body).toString('base64') }
    : { encoding: 'utf-8', content: text };
}
