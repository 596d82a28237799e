import { and, asc, count, eq, gt, gte, like, lt, lte, max } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Logger } from 'pino';
import type { Instant, Role } from '../../platform/model.js';
import { journal } from './schema.js';
import type { Executor } from './store.js';

export type JournalRow = typeof journal.$inferSelect;
type JournalEntry = Omit<typeof journal.$inferInsert, 'journalId'>;

/** Which entries; absent parts match everything. */
export interface JournalFilter {
  kind?: 'request' | 'callback';
  operation?: string;
  reservationId?: number;
  role?: Role;
  method?: string;
  status?: number;
  webhookId?: string;
  /** The beginning of the path. */
  path?: string;
  /** The beginning of the effect: `refused` finds `refused:E011`. */
  effect?: string;
  /** By the platform's clock: from this instant on, and before that one. */
  from?: Instant;
  to?: Instant;
}

export interface Journal {
  /** Takes an entry; it is written with others a moment later. */
  add(entry: JournalEntry): void;
  /** Entries that match, oldest first; sees everything added before the call. */
  find(filter: JournalFilter, page: { after: number; limit: number }): Promise<JournalRow[]>;
  count(filter: JournalFilter): Promise<number>;
  read(journalId: number): Promise<JournalRow | undefined>;
  clear(): Promise<void>;
  /** Everything added so far is in the database when it resolves. */
  flush(): Promise<void>;
}

const mostEntries = 50_000;
const bodyLimit = 64 * 1024;

/** The journal of requests and callbacks: the bodies on the wire, not their effect (that is in a reservation's `moves`). */
export function openJournal(db: Executor, logger: Logger): Journal {
  let waiting: JournalEntry[] = [];
  let writing: Promise<void> = Promise.resolve();
  let scheduled = false;
  let written = 0;

  async function write(): Promise<void> {
    const entries = waiting;
    waiting = [];
    if (entries.length === 0) return;
    try {
      await db.insert(journal).values(entries);
      written += entries.length;
      if (written >= 1000) {
        written = 0;
        await prune();
      }
    } catch (error) {
      logger.error(
        { code: (error as { code?: string }).code, entries: entries.length },
        'journal not written',
      );
    }
  }

  async function prune(): Promise<void> {
    const [newest] = await db.select({ id: max(journal.journalId) }).from(journal);
    await db.delete(journal).where(lte(journal.journalId, (newest?.id ?? 0) - mostEntries));
  }

  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };

  return {
    add(entry) {
      waiting.push({ ...entry, ...cut(entry) });
      if (scheduled) return;
      scheduled = true;
      setTimeout(() => {
        scheduled = false;
        void flush();
      }, 50).unref();
    },
    async find(filter, { after, limit }) {
      await flush();
      return db
        .select()
        .from(journal)
        .where(and(gt(journal.journalId, after), matches(filter)))
        .orderBy(asc(journal.journalId))
        .limit(limit);
    },
    async count(filter) {
      await flush();
      const [row] = await db.select({ entries: count() }).from(journal).where(matches(filter));
      return row?.entries ?? 0;
    },
    async read(journalId) {
      await flush();
      const [row] = await db.select().from(journal).where(eq(journal.journalId, journalId));
      return row;
    },
    async clear() {
      await flush();
      await db.delete(journal);
    },
    flush,
  };
}

function matches(filter: JournalFilter) {
  const is = (column: PgColumn, value: unknown) => (value === undefined ? undefined : eq(column, value));
  const begins = (column: PgColumn, text: string | undefined) =>
    text === undefined ? undefined : like(column, `${text.replace(/[\\%_]/g, '\\$&')}%`);
  const { kind, operation, reservationId, role, method, status, webhookId, path, effect, from, to } = filter;
  return and(
    is(journal.kind, kind),
    is(journal.operation, operation),
    is(journal.reservationId, reservationId),
    is(journal.role, role),
    is(journal.method, method),
    is(journal.status, status),
    is(journal.webhookId, webhookId),
    begins(journal.path, path),
    begins(journal.effect, effect),
    from === undefined ? undefined : gte(journal.at, from),
    to === undefined ? undefined : lt(journal.at, to),
  );
}

/** Cuts bodies at 64 KiB, and replaces characters that a text column cannot hold. */
function cut(entry: JournalEntry): Pick<JournalEntry, 'requestBody' | 'responseBody'> {
  const short = (body: string | null | undefined) =>
    body?.slice(0, bodyLimit).replaceAll('\0', '\ufffd') ?? null;
  return { requestBody: short(entry.requestBody), responseBody: short(entry.responseBody) };
}
