import { and, asc, eq, gt, inArray, lt, or } from 'drizzle-orm';
import type { Verdict } from '../../domain/reservation/types.js';
import type { SealedEvent } from '../../store/callbacks/sealed-event.js';
import { hasState, matching } from '../../store/callbacks/selection.js';
import type { InboxState, ReplaySelection } from '../../store/callbacks/types.js';
import { cursorOf } from '../../store/cursor.js';
import type { HandoverDb } from '../../store/handover.js';
import { inbox } from '../../store/schema.js';

/** An event that could be read again: how it stands, and what it needs for that. */
export interface Candidate {
  row: Omit<SealedEvent, 'sealed'> & { sealed: Buffer | null };
  reservationId: number | null;
  state: InboxState;
  sentAt: number | null;
  verdict: Verdict | null;
  rule: string | null;
}

/** So many at a time are held in memory; a body may have 256 KB. */
const slice = 50;

/** A workflow that has an event judges it within seconds: one that has none by then was lost with it. */
export const judgedWithinMs = 10 * 60_000;

/**
 * The events of a selection in order of arrival, `limit` at most, fetched as they are asked for.
 * @param now an instant
 */
export async function* candidates(
  db: HandoverDb,
  selection: ReplaySelection,
  limit: number,
  now: number,
): AsyncGenerator<Candidate> {
  let after = 'id' in selection ? undefined : cursorOf(selection.cursor, Number.MAX_SAFE_INTEGER);
  for (let left = limit; left > 0; ) {
    const rows = await fetch(db, selection, { after, now, limit: Math.min(slice, left) });
    for (const row of rows) yield candidate(row);
    left -= rows.length;
    after = rows.at(-1)?.id;
    if (rows.length < slice) return;
  }
}

function fetch(
  db: HandoverDb,
  selection: ReplaySelection,
  { after, now, limit }: { after: number | undefined; now: number; limit: number },
) {
  const unjudged = and(hasState('sent'), lt(inbox.sentAt, now - judgedWithinMs));
  const asked =
    'id' in selection
      ? eq(inbox.id, selection.id)
      : and(or(inArray(inbox.state, ['done', 'dead']), unjudged), matching(selection));
  return db
    .select()
    .from(inbox)
    .where(and(asked, after === undefined ? undefined : gt(inbox.id, after)))
    .orderBy(asc(inbox.id))
    .limit(limit);
}

function candidate(row: typeof inbox.$inferSelect): Candidate {
  const { id, identity, eventId, channel, receivedAt, replays, headers, raw: sealed } = row;
  const { reservationId, state, sentAt, verdict, rule } = row;
  const stored = { id, identity, eventId, channel, receivedAt, replays, sealed };
  return {
    row: { ...stored, coding: headers['content-encoding'] },
    reservationId,
    state,
    sentAt,
    verdict,
    rule,
  };
}
