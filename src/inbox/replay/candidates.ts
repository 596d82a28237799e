import { and, asc, eq, gt, inArray, lt, or } from 'drizzle-orm';
import { hasState, toCondition } from '../../store/callbacks/selection.js';
import type { InboxRow, ReplaySelection } from '../../store/callbacks/types.js';
import { cursorOf } from '../../store/cursor.js';
import type { HandoverDb } from '../../store/handover.js';
import { inbox } from '../../store/schema.js';

/** Events held in memory at a time; a body may have 256 KB. */
const slice = 50;

/** A workflow judges an event within seconds: an event without a verdict after this was lost. */
export const judgedWithinMs = 10 * 60_000;

/**
 * The events of a selection in order of arrival, `limit` at most, fetched page by page as the caller reads them.
 * @param now an instant
 */
export async function* candidates(
  db: HandoverDb,
  selection: ReplaySelection,
  limit: number,
  now: number,
): AsyncGenerator<InboxRow> {
  let after = 'id' in selection ? undefined : cursorOf(selection.cursor, Number.MAX_SAFE_INTEGER);
  for (let left = limit; left > 0; ) {
    const rows = await fetch(db, selection, { after, now, limit: Math.min(slice, left) });
    yield* rows;
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
  const wanted =
    'id' in selection
      ? eq(inbox.id, selection.id)
      : and(or(inArray(inbox.state, ['done', 'dead']), unjudged), toCondition(selection));
  return db
    .select()
    .from(inbox)
    .where(and(wanted, after === undefined ? undefined : gt(inbox.id, after)))
    .orderBy(asc(inbox.id))
    .limit(limit);
}
