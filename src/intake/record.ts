import { type SQL, sql } from 'drizzle-orm';
import { attentionPost } from '../alerts/post.js';
import type { RecordInput } from '../contract/reservation.js';
import { isDataError } from '../db/errors.js';
import type { HandoverDb } from '../db/handover.js';
import { timeline } from '../db/schema.js';
import { insertPosts } from '../outbox/enqueue.js';
import type { Sealer } from '../sealing/sealer.js';
import { GroupCommit } from './group-commit.js';

type Seal = Pick<Sealer, 'seal'>;

/**
 * The `record` step of a reservation's workflow: verdicts and timeline rows in one statement. Idempotent: a verdict once given stands, and the same line again changes nothing. A step that
 * Temporal did not keep (its worker died, or news came while it ended) is taken again, later and with that news in it: its
 * lines replace those of the first time. Steps that come together share a statement; it locks inbox rows in the order of
 * their ids, as the relay's mark does, so that the two never wait for each other.
 */
export function createRecorder(db: HandoverDb): (input: RecordInput) => Promise<void> {
  const group = new GroupCommit<RecordInput>({
    write: (inputs) => writeTogether(db, inputs),
    isItemsFault: isDataError,
    maxItems: 32,
  });
  return (input) => group.add(input);
}

/**
 * The statement of some steps, for whoever has a transaction around it.
 * @param sealer encrypts posts of attention items, which then go with their lines; absent: there are none
 */
export async function writeTogether(
  db: Pick<HandoverDb, 'execute'>,
  inputs: RecordInput[],
  sealer?: Seal,
): Promise<void> {
  const verdicts = firstOfEach(inputs.flatMap((input) => input.verdicts));
  const entries = newestOfEach(
    inputs.flatMap(({ reservationId, entries }) =>
      entries.map(({ attention: _, ...entry }) => ({ reservationId, ...entry })),
    ),
  );
  if (verdicts.length + entries.length === 0) return;
  await db.execute(sql`
    with open as (
      select inbox.id, v.verdict, v.rule from inbox
        join jsonb_to_recordset(${JSON.stringify(verdicts)}::text::jsonb)
          as v("inboxId" bigint, replay integer, verdict text, rule text)
          on inbox.id = v."inboxId" and inbox.replays = coalesce(v.replay, 0)
      where inbox.state <> 'done' order by inbox.id for update of inbox
    ), judged as (
      update inbox set state = 'done', verdict = open.verdict, rule = open.rule, verdict_at = now()
      from open where inbox.id = open.id
    ), told as (
      insert into ${timeline} (reservation_id, seq, at, kind, rule, text, data)
      select "reservationId", seq, to_timestamp(at / 1000.0), kind, rule, text, data
      from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb)
        as e("reservationId" bigint, seq integer, at bigint, kind text, rule text, text text, data jsonb)
      order by "reservationId", seq
      on conflict (reservation_id, seq) do update
        set at = excluded.at, kind = excluded.kind, rule = excluded.rule, text = excluded.text, data = excluded.data
        where ${timeline.at} < excluded.at
      returning reservation_id, seq
    )
    ${sealer === undefined ? nothing : postsOf(inputs, sealer)}`);
}

/** One statement writes a line once. */
function newestOfEach<E extends { reservationId: number; seq: number; at: number }>(entries: E[]): E[] {
  const newest = new Map<string, E>();
  for (const entry of entries) {
    const line = `${entry.reservationId}-${entry.seq}`;
    if ((newest.get(line)?.at ?? -1) < entry.at) newest.set(line, entry);
  }
  return [...newest.values()];
}

const nothing = sql`select 1`;

/** A line that was there before has had its post. */
function postsOf(inputs: RecordInput[], sealer: Seal): SQL {
  const posts = inputs.flatMap(({ reservationId, entries }) =>
    entries.flatMap((entry) => attentionPost(reservationId, entry)),
  );
  if (posts.length === 0) return nothing;
  const isTold = sql`"messageId" in (select 'attention-' || reservation_id || '-' || seq from told)`;
  return insertPosts(sealer, posts, isTold);
}

/** An event that was sent twice has its verdict and then `duplicate`: an update would take either of the two. */
function firstOfEach(verdicts: RecordInput['verdicts']): RecordInput['verdicts'] {
  const first = new Map<string, RecordInput['verdicts'][number]>();
  for (const one of verdicts) {
    const reading = `${one.inboxId}:${one.replay ?? 0}`;
    if (!first.has(reading)) first.set(reading, one);
  }
  return [...first.values()];
}
