import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Verdict } from '../../domain/reservation/types.js';
import type { Fence } from '../connection/lease.js';
import { isHeld } from '../connection/lease-holder.js';
import type { HandoverDb } from '../handover.js';
import { inbox } from '../schema.js';
import type { FencedRow, OnJudged, ReadRow } from './types.js';

// Writes of a relay are conditional on the lease of the shard (`fence`): a relay that was frozen meanwhile changes nothing.

/**
 * Records the verdict of rows that no workflow will judge. An existing verdict is not changed.
 * @returns the rows that were changed
 */
export async function recordVerdicts(
  db: HandoverDb,
  rows: ReadRow[],
  judged: { verdict: Verdict; rule: string; at: number },
  fence?: Fence,
): Promise<Parameters<OnJudged>[0]> {
  if (rows.length === 0) return [];
  const { verdict, rule, at } = judged;
  const { receivedAt, replays, replayedAt } = inbox;
  const changed = await db
    .update(inbox)
    .set({ state: 'done', verdict, rule, verdictAt: at })
    .where(isAsRead(fenced(rows, fence)))
    .returning({ receivedAt, replays, replayedAt });
  return changed.map((row) => ({
    verdict,
    receivedAt: row.replayedAt ?? row.receivedAt,
    isReplay: row.replays > 0,
  }));
}

/**
 * Rows whose signal Temporal has: the workflow judges them. `sentAt` stays that of the first send. A row that
 * was judged meanwhile stays `done`; one that a person replays at this moment waits for its next reading.
 */
export async function markSent(db: HandoverDb, rows: FencedRow[], at: number): Promise<void> {
  await db
    .update(inbox)
    .set({ state: 'sent', sentAt: sql`coalesce(${inbox.sentAt}, ${new Date(at).toISOString()})` })
    .where(isAsRead(rows));
}

/** @returns those of these rows whose workflow has not judged them yet */
export async function selectStillSent(db: HandoverDb, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .select({ id: inbox.id })
    .from(inbox)
    .where(and(sql`${inbox.id} = any(${`{${ids.join(',')}}`}::bigint[])`, eq(inbox.state, 'sent')));
  return rows.map(({ id }) => id);
}

/**
 * Rows still without a verdict, of the same reading. They are locked in the order of their ids before any is changed, as
 * the record step does: two that change the same rows in other orders would wait for each other.
 */
function isAsRead(rows: FencedRow[]): SQL {
  const asRead = rows.map(({ id, replays, fence }) => ({
    id,
    replays,
    lease: fence?.name,
    epoch: fence?.epoch,
  }));
  return sql`${inbox.id} = any(array(
    select inbox.id from inbox
      join jsonb_to_recordset(${JSON.stringify(asRead)}::text::jsonb)
        as read(id bigint, replays integer, lease text, epoch bigint)
        on inbox.id = read.id and inbox.replays = read.replays
    where inbox.state <> 'done' and (read.lease is null or exists (
      select 1 from leases where leases.name = read.lease and leases.epoch = read.epoch))
    order by inbox.id for update of inbox))`;
}

function fenced(rows: ReadRow[], fence: Fence | undefined): FencedRow[] {
  return rows.map((row) => ({ ...row, fence }));
}

/** Counts a refused send, with its code. @returns the refusals so far; 0: the row was replayed meanwhile */
export async function countRefusal(
  db: HandoverDb,
  row: ReadRow,
  code: string,
  fence?: Fence,
): Promise<number> {
  const [counted] = await db
    .update(inbox)
    .set({ failures: sql`${inbox.failures} + 1`, lastError: code })
    .where(isAsRead([{ ...row, fence }]))
    .returning({ failures: inbox.failures });
  return counted?.failures ?? 0;
}

/**
 * Makes waiting rows of a reservation dead letters, which no relay sends.
 * @param rows some rows as they were read, or all that wait for the reservation
 * @returns the ids of the dead letters
 */
export async function markDeadLetters(
  db: HandoverDb,
  { reservationId, rows, code }: { reservationId: number; rows: ReadRow[] | 'all'; code: string },
  fence?: Fence,
): Promise<number[]> {
  if (rows.length === 0) return [];
  const buried = await db
    .update(inbox)
    .set({ state: 'dead', lastError: code })
    .where(
      and(
        eq(inbox.reservationId, reservationId),
        eq(inbox.state, 'received'),
        rows === 'all' ? isHeld(fence) : isAsRead(fenced(rows, fence)),
      ),
    )
    .returning({ id: inbox.id });
  return buried.map(({ id }) => id);
}
