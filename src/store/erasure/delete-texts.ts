import { and, eq, inArray, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { rowsOf } from '../connection/rows.js';
import type { HandoverDb } from '../handover.js';
import { answers, audit, type ErasureCounts, inbox, outbox } from '../schema.js';
import type { Erased, Tx } from './types.js';

/**
 * Deletes bodies of callbacks, posts and reasons of the audit. Idempotent: after an erasure it deletes what has come since.
 * @returns how many of each
 */
export async function deleteTexts(
  tx: Tx,
  erased: Pick<Erased, 'reservationId' | 'bookings' | 'holds' | 'at'>,
): Promise<Pick<ErasureCounts, 'bodies' | 'posts' | 'reasons'>> {
  const { reservationId, at } = erased;
  if (reservationId === null) return { bodies: 0, posts: 0, reasons: await deleteReasons(tx, erased) };
  const reasons = await deleteReasons(tx, erased);
  const bodies = await deleteBodies(tx, { reservationId, at });
  const posts = await tx.delete(outbox).where(hasPosts(reservationId)).returning({ id: outbox.id });
  await tx.update(answers).set({ request: 'erased' }).where(hasMarks(reservationId));
  return { bodies, posts: posts.length, reasons };
}

/** Whether `deleteTexts` would delete something: of what is still on its way nothing is deleted. */
export async function hasTexts(db: Pick<HandoverDb, 'execute'>, reservationId: number): Promise<boolean> {
  const none = { reservationId, bookings: [], holds: [] };
  const found = await db.execute(sql`
    select 1 where exists (select from ${inbox} where ${hasBody(reservationId)})
      or exists (select from ${outbox} where ${hasPosts(reservationId)})
      or exists (select from ${answers} where ${hasMarks(reservationId)})
      or ${sql.join(
        reasonsOf(none).map((one) => sql`exists (select from ${audit} where ${one})`),
        sql` or `,
      )}`);
  return rowsOf(found).length > 0;
}

/** Of bodies that the retention has removed the hash is still there. */
const hasBody = (reservationId: number) =>
  and(
    eq(inbox.reservationId, reservationId),
    or(
      eq(inbox.state, 'dead'),
      and(eq(inbox.state, 'done'), or(isNotNull(inbox.raw), ne(inbox.contentHash, ''))),
    ),
  );

/** Callbacks that still wait for FORWARD_URL, or were given up. */
const hasPosts = (reservationId: number) => eq(outbox.key, `reservation-${reservationId}`);

/**
 * Keyed hashes of requests with a reason, by which a guess of it could be confirmed. The key of the request stays: a repeat does not act,
 * and is answered as one with another content.
 */
const hasMarks = (reservationId: number) =>
  and(
    ne(answers.request, 'erased'),
    or(
      and(
        eq(answers.action, 'finding.adopt'),
        sql`${answers.answer} ->> 'reservationId' = ${`${reservationId}`}`,
      ),
      and(
        eq(answers.action, 'inbox.replay'),
        sql`${answers.answer} -> 'events' @> ${JSON.stringify([{ reservationId }])}::text::jsonb`,
      ),
    ),
  );

/** Conditions of the entries with a reason, each by an index of its own: one statement of all of them reads the whole audit. */
export function reasonsOf({
  reservationId,
  bookings: commandIds,
  holds: holdIds,
}: Pick<Erased, 'reservationId' | 'bookings' | 'holds'>): (SQL | undefined)[] {
  const subjects = [
    ...(reservationId === null ? [] : [`reservation/${reservationId}`]),
    ...commandIds.map((id) => `booking/${id}`),
    ...holdIds.map((id) => `hold/${id}`),
  ];
  const having = (is: SQL) => and(isNotNull(audit.reason), is);
  const own = subjects.length === 0 ? [] : [having(inArray(audit.subject, subjects))];
  if (reservationId === null) return own;
  // an array: the planner may join a subquery with the whole audit
  const events = sql`${audit.subject} = any(array(
    select 'inbox/' || ${inbox.id} from ${inbox} where ${inbox.reservationId} = ${reservationId}))`;
  // of a replay by selection the subject is the inbox
  const naming = sql`${audit.data} ->> 'reservationId' = ${`${reservationId}`}
    and (${audit.subject} = 'inbox' or ${audit.subject} like 'finding/%')`;
  return [...own, having(events), having(naming)];
}

async function deleteReasons(tx: Tx, erased: Parameters<typeof reasonsOf>[0]): Promise<number> {
  let count = 0;
  for (const is of reasonsOf(erased)) {
    const deleted = await tx.update(audit).set({ reason: null }).where(is).returning({ id: audit.id });
    count += deleted.length;
  }
  return count;
}

/**
 * Of callbacks with a verdict, and of dead letters, which get one: none is replayed any more. The hashes of their bodies go too, by
 * which a guess of a body could be confirmed under CODEC_KEYS. What is still on its way gets its verdict first; its body then
 * lasts INTAKE_RETENTION, or until the erasure is requested again.
 */
async function deleteBodies(
  tx: Tx,
  { reservationId, at }: { reservationId: number; at: number },
): Promise<number> {
  const own = eq(inbox.reservationId, reservationId);
  const gone = { raw: null, headers: {} };
  const judged = await tx
    .update(inbox)
    .set(gone)
    .where(and(own, eq(inbox.state, 'done'), isNotNull(inbox.raw)))
    .returning({ id: inbox.id });
  const dead = await tx
    .update(inbox)
    .set({ ...gone, state: 'done', verdict: 'after-terminal', rule: 'L08', verdictAt: at })
    .where(and(own, eq(inbox.state, 'dead')))
    .returning({ id: inbox.id });
  // of bodies that the retention has removed before, too
  await tx
    .update(inbox)
    .set({ contentHash: '', eventId: sql`case identity when 'content' then 'erased' else event_id end` })
    .where(and(own, eq(inbox.state, 'done')));
  return judged.length + dead.length;
}
