import { sql } from 'drizzle-orm';
import type { EventChannel } from '../../domain/reservation/types.js';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';
import { inbox } from '../schema.js';
import { type Coalescing, dueAt } from './due.js';
import { isOfShards } from './shard.js';
import type { InboxRow, ReadRow } from './types.js';

/** The columns that are read of a waiting row. */
const waitingColumns = {
  id: inbox.id,
  reservationId: inbox.reservationId,
  identity: inbox.identity,
  eventId: inbox.eventId,
  channel: inbox.channel,
  receivedAt: inbox.receivedAt,
  headers: inbox.headers,
  raw: inbox.raw,
  replays: inbox.replays,
  resends: inbox.resends,
};
type WaitingRow = Pick<InboxRow, keyof typeof waitingColumns>;

/** What waits for one reservation, in order of arrival. */
export interface WaitingBatch {
  reservationId: number;
  rows: WaitingRow[];
  /** Its workflow has ended, or is about to end. */
  hasCaseFile: boolean;
  /** How its workflow was ended before it was closed; null: it was not. */
  ended: string | null;
}

export interface WaitingQuery extends Coalescing {
  /** Only reservations of these (see `shardOf`). */
  shards: readonly number[];
  /** Reservations to skip: being sent, or to be retried later. */
  except: number[];
  /** By the receiver's clock. */
  now: number;
  /** The most reservations to return. */
  reservations: number;
  /** Limits of one batch, in bytes as stored; its first event is always included. */
  maxEvents: number;
  maxBytes: number;
}

export interface Waiting {
  batches: WaitingBatch[];
  /** Rows whose reservation could not be read (L63). */
  unreadable: ReadRow[];
  /** Reservations whose events were examined. */
  reservations: number[];
  /** Milliseconds until the first of those is due that still wait for further callbacks; null: none does. */
  dueInMs: number | null;
  /** More waits than was examined. */
  more: boolean;
  /** Of what was examined more is due than was returned. */
  isLeft: boolean;
}

type Id = number | string;
interface Head {
  id: Id;
  reservation_id: Id | null;
  received_at: string | Date;
  channel: EventChannel;
  bytes: number;
  replays: number;
}
const headColumns = sql`id, reservation_id, received_at, channel, octet_length(raw) as bytes, replays`;
/** Number of oldest rows that are examined, and of rows that are returned at most beyond the first batch: a long backlog costs no more than a short one. */
const mostHeads = 128;

/**
 * The oldest waiting events, grouped by reservation, the longest waiting reservation first. Small statements: a single one would cost
 * three times as much to plan, and most polls need only the first. In a long backlog the callbacks of one reservation may be far apart: a
 * statement more finds the others of those that are sent now, because each signal costs as much as many events.
 */
export async function waitingEvents(db: HandoverDb, query: WaitingQuery): Promise<Waiting> {
  const heads = await oldestHeads(db, query);
  const unreadable = heads
    .filter((head) => head.reservation_id === null)
    .map(({ id, replays }) => ({ id: Number(id), replays }));
  const known = [...groupByReservation(heads)];
  const waits = new Map(known.map(([id, events]) => [id, dueInMs(events, query)]));
  const due = known.filter(([id]) => (waits.get(id) ?? 0) <= 0);
  const young = [...waits.values()].filter((ms) => ms > 0);
  const more = heads.length === mostHeads;
  const next = due.slice(0, query.reservations);
  const further = more && next.length > 0 ? await furtherHeads(db, next, query) : new Map<Id, Head[]>();
  const chosen: Id[] = [];
  for (const [id, waiting] of next) {
    const batch = limitBatch([...waiting, ...(further.get(id) ?? [])], query);
    if (chosen.length > 0 && chosen.length + batch.length > mostHeads) break;
    chosen.push(...batch);
  }
  return {
    batches: await batchesOf(db, chosen),
    unreadable,
    reservations: known.map(([id]) => Number(id)),
    dueInMs: young.length === 0 ? null : Math.min(...young),
    more,
    isLeft: chosen.length < due.flatMap(([, waiting]) => waiting).length,
  };
}

/** Rows of other shards are skipped one by one: each has a relay of its own, so few of them wait. */
async function oldestHeads(
  db: HandoverDb,
  { except, shards }: Pick<WaitingQuery, 'except' | 'shards'>,
): Promise<Head[]> {
  const result = await db.execute(sql`
    select ${headColumns} from inbox
    where state = 'received' and ${isOfShards(shards)} and (reservation_id in (${toIdList(except)})) is not true
    order by id limit ${mostHeads}`);
  return rowsOf<Head>(result);
}

/** What waits for these beyond what was examined. */
async function furtherHeads(
  db: HandoverDb,
  known: readonly [Id, Head[]][],
  { maxEvents }: Pick<WaitingQuery, 'maxEvents'>,
): Promise<Map<Id, Head[]>> {
  const last = JSON.stringify(known.map(([id, events]) => ({ id, after: events.at(-1)?.id })));
  const result = await db.execute(sql`
    select further.* from jsonb_to_recordset(${last}::text::jsonb) as known(id bigint, after bigint),
    lateral (
      select ${headColumns} from inbox
      where state = 'received' and reservation_id = known.id and id > known.after
      order by id limit ${maxEvents}) further
    order by id`);
  return groupByReservation(rowsOf<Head>(result));
}

/** One parameter for the list: a statement of its own for each length would be planned each time. */
function toIdList(ids: readonly Id[]) {
  return sql`select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)`;
}

function groupByReservation(heads: readonly Head[]): Map<Id, Head[]> {
  const groups = new Map<Id, Head[]>();
  for (const head of heads) {
    if (head.reservation_id === null) continue;
    const group = groups.get(head.reservation_id);
    if (group === undefined) groups.set(head.reservation_id, [head]);
    else group.push(head);
  }
  return groups;
}

/** A receiver whose clock is ahead delays no event. */
function dueInMs(
  events: readonly Head[],
  { now, ...coalescing }: Coalescing & Pick<WaitingQuery, 'now'>,
): number {
  const [first, ...others] = events.map(({ channel, received_at }) => ({
    channel,
    receivedAt: new Date(received_at).getTime(),
  }));
  if (first === undefined || first.receivedAt > now) return 0;
  return dueAt([first, ...others], coalescing) - now;
}

function limitBatch(waiting: Head[], { maxEvents, maxBytes }: WaitingQuery): Id[] {
  let bytes = 0;
  const ids: Id[] = [];
  for (const head of waiting.slice(0, maxEvents)) {
    bytes += head.bytes;
    if (ids.length > 0 && bytes > maxBytes) break;
    ids.push(head.id);
  }
  return ids;
}

/** Written so that each table is read by its index: as `in` and `exists` a plan may read all of a large one. */
async function batchesOf(db: HandoverDb, ids: Id[]): Promise<WaitingBatch[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({
      ...waitingColumns,
      hasCaseFile: sql<boolean>`(
        select true from case_files where case_files.reservation_id = inbox.reservation_id) is true`,
      ended: sql<string | null>`(
        select code from ended_reservations where ended_reservations.reservation_id = inbox.reservation_id)`,
    })
    .from(inbox)
    .where(sql`inbox.id = any(array(${toIdList(ids)}))`)
    .orderBy(inbox.id);
  const batches = new Map<number, WaitingBatch>();
  for (const { hasCaseFile, ended, ...row } of rows) {
    const reservationId = row.reservationId ?? 0; // never null: the ids are of rows that have one
    const batch = batches.get(reservationId) ?? { reservationId, rows: [], hasCaseFile, ended };
    batches.set(reservationId, batch);
    batch.rows.push(row);
  }
  return [...batches.values()];
}
