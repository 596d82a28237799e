import { setImmediate as otherWork } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { AuditData } from '../../domain/shared/audit.js';
import type { Answers } from '../../store/answers.js';
import { writeAudit } from '../../store/audit.js';
import type { InboxRow, Replayed, ReplaySelection, Skipped } from '../../store/callbacks/types.js';
import { timestamptz } from '../../store/columns.js';
import { rowsOf } from '../../store/connection/rows.js';
import type { HandoverDb } from '../../store/handover.js';
import { type Reading, type ReadingTools, readEvent } from '../event/read-event.js';
import { candidates, judgedWithinMs } from './candidates.js';

/** Who requested the replay, why, and when (instant). */
export interface ReplayOrder {
  by: string;
  reason: string;
  at: number;
  /** A repeat with the same key gets the first answer. */
  commandId?: string | undefined;
}

const mostReplayed = 1_000;

/**
 * Makes stored events wait for the relay again, in one transaction with the audit entry. They are read by today's code and
 * profile and sent to their workflows in the reservation's order. The earlier verdict of each stays stored. An event whose
 * body names another reservation today is sent to that one.
 */
export async function replay(
  db: HandoverDb,
  tools: ReadingTools & { answers: Answers },
  selection: ReplaySelection,
  { commandId, ...order }: ReplayOrder,
  { limit = mostReplayed }: { limit?: number } = {},
): Promise<Replayed | 'reused'> {
  const { by, reason } = order;
  const request = { commandId, action: 'inbox.replay' as const, content: { selection, by, reason } };
  const earlier = await tools.answers.read<Replayed>(request);
  if (earlier !== undefined) return earlier;
  const chosen: Chosen[] = [];
  const skipped: Skipped[] = [];
  let last: number | undefined;
  let seen = 0;
  let nextCursor: string | null = null;
  for await (const candidate of candidates(db, selection, limit + 1, order.at)) {
    if (seen === limit) {
      nextCursor = String(last);
      break;
    }
    const { id, replays } = candidate;
    const reading = readEvent(candidate, tools);
    const code = hindrance(candidate, reading, order.at);
    if (code !== null) skipped.push({ id, code });
    else chosen.push({ id, replays, reservationId: reading.reservationId ?? candidate.reservationId });
    last = id;
    seen += 1;
    await otherWork(); // lets this process acknowledge callbacks in between
  }
  return db.transaction((tx) => {
    const write = async () => {
      const events = await putBack(tx, chosen, order);
      const data = { ...auditDataOf(selection), events: events.length, skipped: skipped.length };
      const subject = 'id' in selection ? `inbox/${selection.id}` : 'inbox';
      if (events.length > 0)
        await writeAudit(tx, tools.sealer, { ...order, action: request.action, subject, data });
      return { events, skipped, nextCursor };
    };
    return tools.answers.once(tx, request, write, ({ events }) => events.length > 0);
  });
}

/** Why an event cannot be read again at `now` (instant); null: it can. */
export function hindrance(
  { state, sentAt }: Pick<InboxRow, 'state' | 'sentAt'>,
  { unreadable }: Reading,
  now: number,
): Skipped['code'] | null {
  const isLost = sentAt !== null && sentAt < now - judgedWithinMs;
  if (state === 'received' || (state === 'sent' && !isLost)) return 'EVENT_ON_ITS_WAY';
  switch (unreadable?.code) {
    case 'BODY_REMOVED':
    case 'CODEC_KEY_UNKNOWN':
    case 'CODEC_PAYLOAD_DAMAGED':
      return unreadable.code;
    default:
      return null;
  }
}

interface Chosen {
  id: number;
  /** The value when it was chosen: another value means that another process has replayed it meanwhile. */
  replays: number;
  reservationId: number | null;
}

async function putBack(
  tx: Pick<HandoverDb, 'execute'>,
  chosen: Chosen[],
  { by, at }: Pick<ReplayOrder, 'by' | 'at'>,
): Promise<Replayed['events']> {
  if (chosen.length === 0) return [];
  const when = timestamptz(at);
  const lost = timestamptz(at - judgedWithinMs);
  const result = await tx.execute(sql`
    with chosen as (
      select inbox.*, c."reservationId" as read_as
      from inbox join jsonb_to_recordset(${JSON.stringify(chosen)}::text::jsonb)
        as c(id bigint, replays integer, "reservationId" bigint)
        on inbox.id = c.id and inbox.replays = c.replays
      where (inbox.state in ('done', 'dead') or (inbox.state = 'sent' and inbox.sent_at < ${lost}))
        and inbox.raw is not null
      for update of inbox
    ), kept as (
      insert into inbox_replays
        (inbox_id, replay, at, by, reservation_id, state, verdict, rule, verdict_at, failures, last_error)
      select id, replays + 1, ${when}, ${by}, reservation_id, state, verdict, rule, verdict_at, failures, last_error
      from chosen
    )
    update inbox set state = 'received', verdict = null, rule = null, verdict_at = null, sent_at = null,
      resends = 0, resent_at = null, failures = 0, last_error = null, replays = inbox.replays + 1, replayed_at = ${when},
      reservation_id = chosen.read_as
    from chosen where inbox.id = chosen.id
    returning inbox.id, inbox.reservation_id as "reservationId", inbox.replays as replay`);
  return rowsOf<{ id: string; reservationId: string | null; replay: number }>(result)
    .map(({ id, reservationId, replay }) => ({
      id: Number(id),
      reservationId: reservationId === null ? null : Number(reservationId),
      replay,
    }))
    .sort((a, b) => a.id - b.id);
}

/** The selection as the audit entry states it. */
function auditDataOf(selection: ReplaySelection): AuditData {
  const {
    from,
    to,
    cursor: _,
    ...facts
  } = { from: undefined, to: undefined, cursor: undefined, ...selection };
  return {
    ...facts,
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(to).toISOString() }),
  };
}
