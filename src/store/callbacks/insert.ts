import { type SQL, sql } from 'drizzle-orm';
import { CommitAbandonedError, type CommitTogether } from '../connection/commit.js';
import { databaseErrorCode, isConflict, isDataError, isStatementTimeout } from '../connection/errors.js';
import { GroupCommit } from '../connection/group-commit.js';
import { ShortOutages } from '../connection/short-outages.js';
import type { HandoverDatabase } from '../handover.js';
import { forwardStored } from '../outbox/forward.js';
import { inboxRow } from '../sealing/rows.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Arrival } from './types.js';

/** Callbacks, and their bytes, that may wait for the disk; beyond this, new ones are refused with a retry. */
const mostWaiting = { items: 2_000, bytes: 32 * 1024 * 1024 };
/** Limits of one insert: the disk writes this much well within the two seconds after which a commit is abandoned. */
const mostPerInsert = { items: 200, bytes: 2 * 1024 * 1024 };
/** A commit on a silent connection takes two seconds to be abandoned, and as long again on another one. */
const besideSlowWrites = { most: 4, afterMs: 250 };

export interface InboxStore {
  /** Resolves when the event is committed. @throws OverloadedError, or what the database threw. */
  store(arrival: Arrival): Promise<void>;
  /** True: the next callback would be refused. */
  isFull(): boolean;
  drained(): Promise<void>;
}

type InboxDatabase = Pick<HandoverDatabase, 'commit'>;

interface InboxStoreOptions {
  forwards?: boolean;
  onReusedIds?: (events: number) => void;
  onStored?: (events: number) => void;
  outages?: ShortOutages;
}

/**
 * The inbox as the receiver writes it: concurrent events share one insert, bodies are encrypted (L60). Of one reservation
 * they become visible in the order of their ids, whichever receiver stores them. A commit that is abandoned is tried again
 * once, over another connection, and a database that restarts is waited for: the same id is one row, and so is the same
 * arrival without one, but a repeat of an event may be counted as a further copy.
 * @param forwards each event that is new also goes into the outbox for FORWARD_URL, by the same statement (F70)
 * @param onReusedIds called with the number of events whose `webhook-id` stands for another content
 * @param onStored called with the number of events that were stored as rows of their own: repeats are not among them
 * @param outages of its database, if others share them
 */
export function createInboxStore(
  { commit }: InboxDatabase,
  sealer: Sealer,
  {
    forwards = false,
    onReusedIds = () => {},
    onStored = () => {},
    outages = new ShortOutages(),
  }: InboxStoreOptions = {},
): InboxStore {
  const how = { commit, sealer, forwards, onStored };
  const storeOrAgain = (arrivals: Arrival[]) =>
    outages.through(() =>
      storeTogether(how, arrivals).catch((error) => {
        if (!mayNowSucceed(error)) throw error;
        return storeTogether(how, arrivals);
      }),
    );
  const group = new GroupCommit<Arrival>({
    async write(arrivals) {
      const { same, other } = splitByFirstContent(arrivals);
      const reused = [...other, ...(await storeOrAgain(same))];
      if (reused.length === 0) return;
      await storeOrAgain(reused.map(identifyByContent));
      onReusedIds(reused.length);
    },
    isItemsFault: isDataError,
    isTooMuch: (error) => error instanceof CommitAbandonedError || isStatementTimeout(error),
    maxItems: mostPerInsert.items,
    maxBytes: mostPerInsert.bytes,
    bounds: { ...mostWaiting, bytesOf: ({ raw }) => raw.length },
    beside: { ...besideSlowWrites, keyOf: ({ reservationId }) => reservationId },
  });
  return {
    store: (arrival) => group.add(arrival),
    isFull: () => group.isFull(),
    drained: () => group.drained(),
  };
}

function mayNowSucceed(error: unknown): boolean {
  const isAbandoned = error instanceof CommitAbandonedError;
  return isAbandoned || isNewestRowGone(error) || isConflict(error) || isStatementTimeout(error);
}

type Row = Arrival & { copies: number };

interface How extends InboxDatabase {
  sealer: Sealer;
  forwards: boolean;
  onStored: (events: number) => void;
}

/** A `webhook-id` that is reused for another content identifies nothing: its event is identified by content, so that none is lost. */
function identifyByContent(arrival: Arrival): Arrival {
  return { ...arrival, identity: 'content', eventId: arrival.contentHashes[0] };
}

/** `other`: events whose `webhook-id` stands for another content earlier in the group. */
function splitByFirstContent(arrivals: Arrival[]): { same: Arrival[]; other: Arrival[] } {
  const first = new Map<string, string>();
  const other: Arrival[] = [];
  const same = arrivals.filter((arrival) => {
    const { identity, eventId, contentHashes } = arrival;
    if (identity === 'content') return true;
    const known = first.get(eventId) ?? contentHashes[0];
    first.set(eventId, known);
    if (known !== contentHashes[0]) other.push(arrival);
    return known === contentHashes[0];
  });
  return { same, other };
}

/** @returns events that were not stored, because their `webhook-id` stands for another content */
async function storeTogether(how: How, arrivals: Arrival[]): Promise<Arrival[]> {
  const { rows, repeats } = deduplicate(arrivals, await newestRows(how.commit, arrivals));
  const statements = [
    ...(repeats.size === 0 ? [] : [countUp(repeats)]),
    ...(rows.length === 0 ? [] : [insert(how, rows)]),
  ];
  const inOrderOf = rows.flatMap(({ reservationId }) => reservationId ?? []);
  const stored = await how.commit<{ event_id: string; is_new: boolean }>({ statements, inOrderOf });
  if (rows.length > 0) how.onStored(stored.filter((row) => row.is_new).length);
  if (rows.length === 0 || stored.length === rows.length) return [];
  const known = new Set(stored.map(({ event_id }) => event_id));
  return rows.filter(({ identity, eventId }) => identity === 'webhook-id' && !known.has(eventId));
}

const divisionByZero = '22012';

/** Fails where the retention has removed one of the rows: the repeat is then a new event. */
function countUp(copiesOf: Map<number, number>): SQL {
  const repeats = [...copiesOf].map(([id, copies]) => ({ id, copies }));
  return sql`
    with counted as (
      update inbox set copies = inbox.copies + repeats.copies
      from json_to_recordset(${JSON.stringify(repeats)}::text::json) as repeats (id bigint, copies integer)
      where inbox.id = repeats.id returning inbox.id
    ) select 1 / (case when count(*) = ${repeats.length}::integer then 1 else 0 end) from counted`;
}

function isNewestRowGone(error: unknown): boolean {
  return databaseErrorCode(error) === divisionByZero;
}

/**
 * One parameter for all rows: the statement's text is the same for any number of rows, and costs a third of the CPU that
 * one parameter per value costs. Returns the ids of the stored events.
 */
function insert({ sealer, forwards }: How, rows: Row[]): SQL {
  const values = rows.map((row) => ({
    identity: row.identity,
    event_id: row.eventId,
    channel: row.channel,
    path: row.path,
    reservation_id: row.reservationId,
    received_at: new Date(row.receivedAt).toISOString(),
    headers: row.headers,
    raw: Buffer.from(sealer.seal(row.raw, inboxRow(row.eventId))).toString('base64'),
    content_hash: row.contentHashes[0],
    copies: row.copies,
  }));
  const store = sql`
    insert into inbox
      (identity, event_id, channel, path, reservation_id, received_at, headers, raw, content_hash, copies)
    select
      identity, event_id, channel, path, reservation_id, received_at, headers, decode(raw, 'base64'), content_hash, copies
    from json_to_recordset(${JSON.stringify(values)}::text::json) as arrived (identity text, event_id text,
      channel text, path text, reservation_id bigint, received_at timestamptz, headers jsonb, raw text,
      content_hash text, copies integer)
    ${unlessStoredByAnAbandonedCommit(rows)}
    on conflict (event_id) where identity = 'webhook-id' do update set copies = inbox.copies + excluded.copies
      where inbox.content_hash = excluded.content_hash ${orErased} ${orUnderAnotherKey(rows)}`;
  return forwards ? storeAndForward(store) : sql`${store} returning event_id, ${isNew}`;
}

/** An event without an id is identified by its content and the time of its receipt. */
function unlessStoredByAnAbandonedCommit(rows: Row[]): SQL {
  if (!rows.some(({ identity }) => identity === 'content')) return sql`where true`;
  return sql`where identity <> 'content' or not exists (
    select from inbox as stored
    where stored.received_at = arrived.received_at and stored.content_hash = arrived.content_hash)`;
}

/** The `xmax` of an existing row shows that it was counted up, not stored. */
const isNew = sql`xmax = 0 as is_new`;

function storeAndForward(store: SQL): SQL {
  return sql`
    with stored as (
      ${store}
      returning id, identity, event_id, path, reservation_id, received_at, headers, raw, ${isNew}
    ), forwarded as (${forwardStored(sql`stored`)})
    select event_id, is_new from stored`;
}

/** An erasure leaves no hash to compare: a repeat of a callback of that reservation is taken for the same. */
const orErased = sql`or (inbox.content_hash = '' and inbox.reservation_id = excluded.reservation_id)`;

/** During a rotation of keys the same content may have been stored under the previous key. */
function orUnderAnotherKey(rows: Row[]): SQL | undefined {
  const several = rows.filter(({ contentHashes }) => contentHashes.length > 1);
  if (several.length === 0) return undefined;
  const hashes = Object.fromEntries(several.map(({ eventId, contentHashes }) => [eventId, contentHashes]));
  return sql`or (${JSON.stringify(hashes)}::text::jsonb -> excluded.event_id) ? inbox.content_hash`;
}

/** The newest row of a reservation: already stored (`id`), or in this group (`row`). */
type Newest = { contentHash: string } & ({ id: number } | { row: Row });

/**
 * The same `webhook-id` is the same row. Without one, the same content is the same event only while nothing else
 * was reported since: a period may go A, B, A.
 */
function deduplicate(
  arrivals: Arrival[],
  newest: Map<number | null, Newest>,
): { rows: Row[]; repeats: Map<number, number> } {
  const rows: Row[] = [];
  const repeats = new Map<number, number>();
  const byWebhookId = new Map<string, Row>();
  for (const arrival of arrivals) {
    const last = newest.get(arrival.reservationId);
    const known = arrival.identity === 'webhook-id' ? byWebhookId.get(arrival.eventId) : undefined;
    if (known !== undefined) {
      known.copies++;
    } else if (
      arrival.identity === 'content' &&
      last !== undefined &&
      arrival.contentHashes.includes(last.contentHash)
    ) {
      if ('row' in last) last.row.copies++;
      else repeats.set(last.id, (repeats.get(last.id) ?? 0) + 1);
    } else {
      const row = { ...arrival, copies: 1 };
      rows.push(row);
      newest.set(arrival.reservationId, { contentHash: arrival.contentHashes[0], row });
      if (arrival.identity === 'webhook-id') byWebhookId.set(arrival.eventId, row);
    }
  }
  return { rows, repeats };
}

/**
 * Read only for events without an id; per reservation, so that the index finds the newest at once, however many rows there
 * are.
 */
async function newestRows(commit: CommitTogether, arrivals: Arrival[]): Promise<Map<number | null, Newest>> {
  const wanted = arrivals.filter(({ identity }) => identity === 'content').map((one) => one.reservationId);
  if (wanted.length === 0) return new Map();
  const ids = [...new Set(wanted)].map((id) => ({ id }));
  const newest = sql`
    select newest.id, newest.reservation_id, newest.content_hash
    from json_to_recordset(${JSON.stringify(ids)}::text::json) as wanted (id bigint)
    cross join lateral (
      (select id, reservation_id, content_hash from inbox
        where reservation_id = wanted.id order by reservation_id desc, id desc limit 1)
      union all
      (select id, reservation_id, content_hash from inbox
        where wanted.id is null and reservation_id is null order by reservation_id desc, id desc limit 1)
    ) as newest`;
  const found = await commit<NewestRow>({ statements: [newest], inOrderOf: [] });
  return new Map(
    found.map(({ id, reservation_id, content_hash }) => [
      reservation_id === null ? null : Number(reservation_id),
      { id: Number(id), contentHash: content_hash },
    ]),
  );
}

interface NewestRow {
  id: number | string;
  reservation_id: number | string | null;
  content_hash: string;
}
