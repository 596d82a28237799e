import { and, asc, eq, gt, lte, max } from 'drizzle-orm';
import type { Logger } from '../../log.js';
import { journal } from './schema.js';
import type { Executor } from './store.js';

export type JournalRow = typeof journal.$inferSelect;
type JournalEntry = Omit<typeof journal.$inferInsert, 'journalId'>;

interface JournalFilter {
  reservationId?: number | undefined;
  operation?: string | undefined;
  kind?: 'request' | 'callback' | undefined;
  after?: number | undefined;
  limit: number;
}

export interface Journal {
  /** Takes an entry; it is written with others a moment later. */
  add(entry: JournalEntry): void;
  /** Entries that match, oldest first; sees everything added before the call. */
  find(filter: JournalFilter): Promise<JournalRow[]>;
  clear(): Promise<void>;
  /** Everything added so far is in the database when it resolves. */
  flush(): Promise<void>;
}

const kept = 50_000;
const bodyLimit = 64 * 1024;

/** The journal of requests and callbacks: what was said on the wire, not what became of it (a reservation's `moves`). */
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
    await db.delete(journal).where(lte(journal.journalId, (newest?.id ?? 0) - kept));
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
    async find(filter) {
      await flush();
      return db
        .select()
        .from(journal)
        .where(
          and(
            filter.reservationId === undefined ? undefined : eq(journal.reservationId, filter.reservationId),
            filter.operation === undefined ? undefined : eq(journal.operation, filter.operation),
            filter.kind === undefined ? undefined : eq(journal.kind, filter.kind),
            filter.after === undefined ? undefined : gt(journal.journalId, filter.after),
          ),
        )
        .orderBy(asc(journal.journalId))
        .limit(filter.limit);
    },
    async clear() {
      await flush();
      await db.delete(journal);
    },
    flush,
  };
}

/** Bodies are kept up to 64 KiB, without what a text column cannot hold. */
function cut(entry: JournalEntry): Pick<JournalEntry, 'requestBody' | 'responseBody'> {
  const short = (body: string | null | undefined) =>
    body?.slice(0, bodyLimit).replaceAll('\0', '\ufffd') ?? null;
  return { requestBody: short(entry.requestBody), responseBody: short(entry.responseBody) };
}
