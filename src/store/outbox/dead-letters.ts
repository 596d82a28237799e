import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Answers } from '../answers.js';
import { writeAudit } from '../audit.js';
import type { HandoverDatabase, HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { type Destination, outbox } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';

export const postStates = ['waiting', 'dead'] as const;

/** A post that its receiver has not accepted, without its body. Times are instants. */
export interface OutboxPost {
  id: number;
  destination: Destination;
  /** Posts of one key are sent one after the other. */
  key: string;
  /** Its `webhook-id`. */
  messageId: string;
  state: (typeof postStates)[number];
  createdAt: number;
  failures: number;
  /** Code of the last failure. */
  lastError: string | null;
  /** When it was given up; null: it waits. */
  deadAt: number | null;
}

interface PostFilter {
  destination?: Destination;
  state?: OutboxPost['state'];
  /** `nextCursor` of the page before: a whole number. */
  cursor?: string;
  limit: number;
}

/** Who requests that dead letters are sent again, and why. */
interface ResendOrder {
  by: string;
  reason: string;
  /** A repeat with the same key gets the first answer. */
  commandId?: string | undefined;
}

/** One dead letter, or all (to one destination). */
type ResendSelection = { id: number } | { destination?: Destination };

const mostResent = 1_000;

/** Posts that their receivers have not accepted. */
export interface UndeliveredPosts {
  /** Posts that wait or were given up, newest first. */
  list(filter: PostFilter): Promise<ListPage<OutboxPost>>;
  /**
   * Makes dead letters wait to be sent again, the oldest 1,000 of a selection, with an audit entry in the same transaction.
   * Each is sent before later posts of its key; its retention begins again.
   * @returns their ids; undefined: the selected dead letter does not exist; `reused`: the key stands for another request
   */
  resend(selection: ResendSelection, order: ResendOrder): Promise<number[] | 'reused' | undefined>;
}

export function createUndeliveredPosts(
  { db, prompt }: Pick<HandoverDatabase, 'db' | 'prompt'>,
  tools: { sealer: Pick<Sealer, 'seal'>; answers: Answers },
): UndeliveredPosts {
  return {
    list: (filter) => listPosts(prompt, filter),
    async resend(selection, { commandId, ...order }) {
      const request = { commandId, action: 'outbox.resend', content: { selection, ...order } };
      const posts = await db.transaction((tx) =>
        tools.answers.once(
          tx,
          request,
          () => resendPosts(tx, tools.sealer, selection, order),
          (sent) => sent.length > 0,
        ),
      );
      if (posts === 'reused' || posts.length > 0 || !('id' in selection)) return posts;
      const [known] = await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, selection.id));
      return known === undefined ? undefined : posts;
    },
  };
}

async function listPosts(db: HandoverDb, filter: PostFilter): Promise<ListPage<OutboxPost>> {
  const { destination, state, cursor, limit } = filter;
  const asOf = Date.now();
  const { id, key, messageId, createdAt, failures, lastError, deadAt } = outbox;
  const rows = await db
    .select({ id, destination: outbox.destination, key, messageId, createdAt, failures, lastError, deadAt })
    .from(outbox)
    .where(
      and(
        destination === undefined ? undefined : eq(outbox.destination, destination),
        state === undefined ? undefined : state === 'dead' ? isNotNull(deadAt) : isNull(deadAt),
        cursor === undefined ? undefined : lt(id, Number(cursor)),
      ),
    )
    .orderBy(desc(id))
    .limit(limit + 1);
  const { items, ...rest } = page(rows, limit, (row) => row.id, asOf);
  return {
    items: items.map((row) => ({ ...row, state: row.deadAt === null ? 'waiting' : 'dead' })),
    ...rest,
  };
}

async function resendPosts(
  tx: Pick<HandoverDb, 'select' | 'update' | 'insert'>,
  sealer: Pick<Sealer, 'seal'>,
  selection: ResendSelection,
  order: Omit<ResendOrder, 'commandId'>,
): Promise<number[]> {
  const [one, destination] =
    'id' in selection ? [selection.id, undefined] : [undefined, selection.destination];
  const dead = tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        isNotNull(outbox.deadAt),
        one === undefined ? undefined : eq(outbox.id, one),
        destination === undefined ? undefined : eq(outbox.destination, destination),
      ),
    )
    .orderBy(outbox.id)
    .limit(mostResent)
    .for('update');
  const resent = await tx
    .update(outbox)
    .set({ deadAt: null, refusedSince: null, nextTryAt: null, failures: 0, storedAt: sql`now()` })
    .where(sql`${outbox.id} in (${dead})`)
    .returning({ id: outbox.id });
  const ids = resent.map(({ id }) => id).sort((a, b) => a - b);
  if (ids.length > 0) {
    const subject = one === undefined ? 'outbox' : `outbox/${one}`;
    const data = { posts: ids.length, ...(destination !== undefined && { destination }) };
    await writeAudit(tx, sealer, { ...order, at: Date.now(), action: 'outbox.resend', subject, data });
  }
  return ids;
}
