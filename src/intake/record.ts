import { sql } from 'drizzle-orm';
import type { RecordInput } from '../contract/reservation.js';
import { isDataError } from '../db/errors.js';
import type { HandoverDb } from '../db/handover.js';
import { inbox, timeline } from '../db/schema.js';
import { GroupCommit } from './group-commit.js';

/**
 * The `record` step of a reservation's workflow: verdicts and timeline rows in one statement. Idempotent: a
 * verdict once given stands, and a timeline row once written too. Steps that come together share a statement.
 */
export function createRecorder(db: HandoverDb): (input: RecordInput) => Promise<void> {
  const group = new GroupCommit<RecordInput>({
    write: (inputs) => writeTogether(db, inputs),
    isItemsFault: isDataError,
    maxItems: 32,
  });
  return (input) => group.add(input);
}

async function writeTogether(db: HandoverDb, inputs: RecordInput[]): Promise<void> {
  const verdicts = firstOfEach(inputs.flatMap((input) => input.verdicts));
  const entries = inputs.flatMap(({ reservationId, entries }) =>
    entries.map((entry) => ({ reservationId, ...entry })),
  );
  if (verdicts.length + entries.length === 0) return;
  await db.execute(sql`
    with judged as (
      update ${inbox} set state = 'done', verdict = v.verdict, rule = v.rule, verdict_at = now()
      from jsonb_to_recordset(${JSON.stringify(verdicts)}::text::jsonb)
        as v("inboxId" bigint, verdict text, rule text)
      where ${inbox.id} = v."inboxId" and ${inbox.state} <> 'done'
    )
    insert into ${timeline} (reservation_id, seq, at, kind, rule, text, data)
    select "reservationId", seq, to_timestamp(at / 1000.0), kind, rule, text, data
    from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb)
      as e("reservationId" bigint, seq integer, at bigint, kind text, rule text, text text, data jsonb)
    on conflict do nothing`);
}

/** An event that was sent twice has its verdict and then `duplicate`: an update would take either of the two. */
function firstOfEach(verdicts: RecordInput['verdicts']): RecordInput['verdicts'] {
  const first = new Map<number, RecordInput['verdicts'][number]>();
  for (const one of verdicts) if (!first.has(one.inboxId)) first.set(one.inboxId, one);
  return [...first.values()];
}
