import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Message, Sentence } from '../../domain/shared/message.js';
import { timestamptz } from '../columns.js';
import type { HandoverDb } from '../handover.js';
import { insertPosts } from '../outbox/enqueue.js';
import { type ListPage, page } from '../page.js';
import { alerts } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import type { AlertKind } from './kinds.js';
import { inEnglish } from './messages/message.js';
import { alertPost } from './post.js';

/** The subject of an alert: at most one alert is open for each kind and subject. */
export interface AlertSubject {
  kind: AlertKind;
  /** Such as a role; empty where the kind alone identifies the alert. Never personal data (L60). */
  subject: string;
}

/** An alert that belongs to no reservation. Times are instants. */
export interface Alert extends AlertSubject {
  id: number;
  since: number;
  /** For operations: what happened, and what to do. */
  message: Sentence;
  /** Null: the alert is open. */
  clearedAt: number | null;
}

interface AlertFilter {
  state: 'open' | 'all';
  kind?: AlertKind;
  /** Open at this instant or later. */
  since?: number;
  /** `nextCursor` of the page before: a whole number. */
  cursor?: string;
  limit: number;
}

export interface Alerts {
  /** False: it was open already. */
  raise(alert: AlertSubject & { message: Sentence; at: number }): Promise<boolean>;
  /** Updates the text of an open one without a post. */
  reword(alert: AlertSubject & { message: Sentence }): Promise<void>;
  /** False: none was open. */
  clear(alert: AlertSubject & { at: number }): Promise<boolean>;
  /** Newest first. */
  list(filter: AlertFilter): Promise<ListPage<Alert>>;
}

/**
 * The alerts that belong to no reservation.
 * @param post each raise and clear also puts one post into the outbox, in the same transaction
 */
export function createAlerts(
  db: HandoverDb,
  { sealer, post }: { sealer: Pick<Sealer, 'seal'>; post: boolean },
): Alerts {
  const is = ({ kind, subject }: AlertSubject) => and(eq(alerts.kind, kind), eq(alerts.subject, subject));
  return {
    raise: ({ at, message, ...subject }) =>
      db.transaction(async (tx) => {
        const alert = { ...subject, ...textOf(message), since: at };
        const [row] = await tx
          .insert(alerts)
          .values(alert)
          .onConflictDoNothing()
          .returning({ id: alerts.id });
        if (row === undefined) return false;
        if (post) await tx.execute(insertPosts(sealer, [alertPost(row.id, 'raised', { ...alert, at })]));
        return true;
      }),
    async reword({ message, ...subject }) {
      await db
        .update(alerts)
        .set(textOf(message))
        .where(and(is(subject), isNull(alerts.clearedAt)));
    },
    clear: ({ at, ...subject }) =>
      db.transaction(async (tx) => {
        const [row] = await tx
          .update(alerts)
          .set({ clearedAt: at })
          .where(and(is(subject), isNull(alerts.clearedAt)))
          .returning();
        if (row === undefined) return false;
        if (post) await tx.execute(insertPosts(sealer, [alertPost(row.id, 'cleared', { ...row, at })]));
        return true;
      }),
    async list({ state, kind, since, cursor, limit }) {
      const asOf = Date.now();
      const rows = await db
        .select()
        .from(alerts)
        .where(
          and(
            state === 'open' ? isNull(alerts.clearedAt) : undefined,
            kind === undefined ? undefined : eq(alerts.kind, kind),
            since === undefined ? undefined : wasOpenSince(since),
            cursor === undefined ? undefined : lt(alerts.id, Number(cursor)),
          ),
        )
        .orderBy(desc(alerts.id))
        .limit(limit + 1);
      const found = rows.map(({ said, message, ...row }) => ({ ...row, message: sentenceOf(said, message) }));
      return page(found, limit, ({ id }) => id, asOf);
    },
  };
}

/** The columns of a text: the release before reads the English one. */
function textOf(message: Sentence) {
  return { message: inEnglish(message), said: typeof message === 'string' ? null : message };
}

/** A text that the release before raised has no code, and where it reworded one, the code is of the text before. */
function sentenceOf(said: Message | null, message: string): Sentence {
  try {
    return said !== null && inEnglish(said) === message ? said : message;
  } catch {
    // another release writes this sentence with other data
    return message;
  }
}

/** As its index has it. */
const wasOpenSince = (since: number): SQL =>
  sql`coalesce(${alerts.clearedAt}, 'infinity'::timestamptz) >= ${timestamptz(since)}`;
