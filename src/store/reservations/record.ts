import { isNull, type SQL, sql } from 'drizzle-orm';
import type { RecordInput } from '../../contract/reservation.js';
import { happensOnce, identityOf } from '../../domain/reservation/entry-identity.js';
import type { TimelineEntry, Verdict } from '../../domain/reservation/types.js';
import { attentionPost } from '../alerts/post.js';
import type { OnJudged } from '../callbacks/types.js';
import { databaseErrorCode, isDataError } from '../connection/errors.js';
import { GroupCommit } from '../connection/group-commit.js';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';
import { insertPosts } from '../outbox/enqueue.js';
import { timeline } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { type OpenRows, storeRows } from './open-rows.js';

type Seal = Pick<Sealer, 'seal'>;

/**
 * The `record` step of a reservation's workflow: verdicts, timeline entries and what lists show, in one statement. Idempotent: a stored verdict
 * or entry is never changed. A new entry gets the next place in its reservation's timeline. One that is emitted again (a
 * repeated write, a workflow task that Temporal dropped, a restored Temporal) is recognised by its identity, one of 0.2.0 by
 * its content. Steps that arrive together share a statement. It locks inbox rows in the order of their ids, as the relay does
 * when it marks them, so that the two never wait for each other. A row of lists is replaced only by that of a later state.
 * @param openRows of lists; absent: none are stored
 * @param onJudged for metrics
 */
export function createRecorder(
  db: HandoverDb,
  openRows?: OpenRows,
  onJudged?: OnJudged,
): (input: RecordInput) => Promise<void> {
  let ofEarlierRelease: boolean | undefined;
  const write = async (inputs: RecordInput[]) => {
    ofEarlierRelease ??= await hasEntriesOfEarlierRelease(db);
    await writeTogether(db, inputs, { ofEarlierRelease, openRows, onJudged });
  };
  const group = new GroupCommit<RecordInput>({
    write: (inputs) =>
      write(inputs).catch((error) => {
        // an abandoned write of the same entries was committed meanwhile: the next try finds them
        if (databaseErrorCode(error) === uniqueViolation) return write(inputs);
        throw error;
      }),
    isItemsFault: isDataError,
    maxItems: 32,
  });
  return (input) => group.add(input);
}

export interface WriteOptions {
  /** Encrypts the posts of attention items, which are written with their entries; absent: none are written. */
  sealer?: Seal | undefined;
  /** Absent: what lists show is not stored. */
  openRows?: OpenRows | undefined;
  /** False: the timeline holds no entry that 0.2.0 stored. */
  ofEarlierRelease?: boolean;
  /** For metrics; without `sealer`, whose posts are the statement's answer. */
  onJudged?: OnJudged | undefined;
}

/** Writes some steps in one statement, also inside a transaction. */
export async function writeTogether(
  db: Pick<HandoverDb, 'execute'>,
  inputs: RecordInput[],
  { sealer, openRows, ofEarlierRelease = true, onJudged }: WriteOptions = {},
): Promise<void> {
  const verdicts = firstOfEach(inputs.flatMap((input) => input.verdicts));
  const entries = inputs.flatMap(({ reservationId, entries }) =>
    entries.map((entry) => rowOf(reservationId, entry)),
  );
  const rows = firstOfEachEntry(entries);
  const listed = openRows && storeRows(inputs, openRows);
  const parts = [
    ...(verdicts.length === 0 ? [] : [storeVerdicts(verdicts)]),
    ...(rows.length === 0 ? [] : [storeEntries(rows, ofEarlierRelease)]),
    ...(listed ? [listed] : []),
  ];
  if (parts.length === 0) return;
  const posts = sealer === undefined || rows.length === 0 ? nothing : postsOf(inputs, sealer);
  const isReported = onJudged !== undefined && verdicts.length > 0;
  const last = isReported ? readJudged : posts;
  const result = await db.execute(sql`with ${sql.join(parts, sql`, `)} ${last}`);
  if (isReported) onJudged(rowsOf<JudgedRow>(result).map(toJudged));
}

interface JudgedRow {
  verdict: Verdict;
  received_at: string | Date;
  is_replay: boolean;
}

const toJudged = ({ verdict, received_at, is_replay }: JudgedRow) => ({
  verdict,
  receivedAt: new Date(received_at).getTime(),
  isReplay: is_replay,
});

const uniqueViolation = '23505';

/** Read once per process, because later releases add none. */
async function hasEntriesOfEarlierRelease(db: HandoverDb): Promise<boolean> {
  const found = await db.select({ one: sql`1` }).from(timeline).where(isNull(timeline.identity)).limit(1);
  return found.length > 0;
}

function storeVerdicts(verdicts: RecordInput['verdicts']): SQL {
  return sql`
    open as (
      select inbox.id, v.verdict, v.rule from inbox
        join jsonb_to_recordset(${JSON.stringify(verdicts)}::text::jsonb)
          as v("inboxId" bigint, replay integer, verdict text, rule text)
          on inbox.id = v."inboxId" and inbox.replays = coalesce(v.replay, 0)
      where inbox.state <> 'done' order by inbox.id for update of inbox
    ), judged as (
      update inbox set state = 'done', verdict = open.verdict, rule = open.rule, verdict_at = now()
      from open where inbox.id = open.id
      returning inbox.verdict, coalesce(inbox.replayed_at, inbox.received_at) as received_at, inbox.replays > 0 as is_replay
    )`;
}

const readJudged = sql`select verdict, received_at, is_replay from judged`;

function storeEntries(rows: ReturnType<typeof firstOfEachEntry>, ofEarlierRelease: boolean): SQL {
  return sql`
    fresh as (
      select e.*, row_number() over (partition by "reservationId" order by place) as next
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as e("reservationId" bigint, place integer, identity text, "isOnce" boolean, nth integer,
          at bigint, kind text, rule text, text text, messages jsonb, data jsonb)
      where not exists (
          select from ${timeline} t where t.reservation_id = e."reservationId" and t.identity = e.identity)
        ${ofEarlierRelease ? isNotOfEarlierRelease : sql``}
    ), notified as (
      insert into ${timeline} (reservation_id, seq, identity, at, kind, rule, text, messages, data)
      select "reservationId",
        next + coalesce((select max(seq) from ${timeline} t where t.reservation_id = "reservationId"), 0),
        identity, to_timestamp(at / 1000.0), kind, rule, text, messages, data
      from fresh order by "reservationId", next
      returning reservation_id, identity
    )`;
}

/** 0.2.0 wrote offsets of times without a colon, `+0900`; such rows have no identity either. */
function withColon(text: SQL): SQL {
  return sql`regexp_replace(${text}, '(T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}[+-][0-9]{2})([0-9]{2})', '\\1:\\2', 'g')`;
}

/** Entries of 0.2.0 have no identity; they are known by their content. */
const isNotOfEarlierRelease = sql`
        and (
          select count(*) from ${timeline} t
          where t.reservation_id = e."reservationId" and t.identity is null
            and (e."isOnce" or t.at = to_timestamp(e.at / 1000.0)) and t.kind = e.kind and t.rule = e.rule
            and ${withColon(sql`t.text`)} = ${withColon(sql`e.text`)}
            and ${withColon(sql`t.data::text`)}::jsonb = ${withColon(sql`e.data::text`)}::jsonb
        ) < e.nth`;

/** @returns the stored part of an entry: without its attention item, which is posted, and its place, which the database gives */
function rowOf(reservationId: number, entry: TimelineEntry) {
  const { at, kind, rule, text, messages, data, nth = 1 } = entry;
  const isOnce = happensOnce(entry);
  return { reservationId, identity: identityOf(entry), isOnce, nth, at, kind, rule, text, messages, data };
}

/** Removes duplicates, because one statement stores an entry once. */
function firstOfEachEntry(entries: ReturnType<typeof rowOf>[]) {
  const first = new Map<string, ReturnType<typeof rowOf>>();
  for (const entry of entries) {
    const key = `${entry.reservationId}-${entry.identity}`;
    if (!first.has(key)) first.set(key, entry);
  }
  return [...first.values()].map((entry, place) => ({ ...entry, place }));
}

const nothing = sql`select 1`;

/** Only for new entries: one that was stored before has had its post. */
function postsOf(inputs: RecordInput[], sealer: Seal): SQL {
  const posts = inputs.flatMap(({ reservationId, entries }) =>
    entries.flatMap((entry) => attentionPost(reservationId, entry)),
  );
  if (posts.length === 0) return nothing;
  const isNotified = sql`"messageId" in (select 'attention-' || reservation_id || '-' || identity from notified)`;
  return insertPosts(sealer, posts, isNotified);
}

/** An event that was sent twice has its verdict and then `duplicate`; an update could choose either, so only the first counts. */
function firstOfEach(verdicts: RecordInput['verdicts']): RecordInput['verdicts'] {
  const first = new Map<string, RecordInput['verdicts'][number]>();
  for (const one of verdicts) {
    const reading = `${one.inboxId}:${one.replay ?? 0}`;
    if (!first.has(reading)) first.set(reading, one);
  }
  return [...first.values()];
}
