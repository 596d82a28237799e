import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { DatabaseError } from './connection/errors.js';
import { rowsOf } from './connection/rows.js';
import { within } from './connection/within.js';
import type { HandoverDb } from './handover.js';
import { LoadsUnderWay } from './loads-under-way.js';
import { dataKeyMaker } from './make-data-keys.js';
import { dataKeys as table } from './schema.js';
import { type DataKey, type DataKeys, destroyed, toDataKey } from './sealing/data-keys.js';
import { CodecError, DataKeyNotMade, DataKeyNotRead, MissingDataKeyError } from './sealing/errors.js';
import type { KeyWrap } from './sealing/key-wrap.js';

const mostInMemory = 20_000;
/** After it a key in memory is read again: a process learns of an erasure elsewhere within this time. */
const freshForMs = 60_000;
/** While the database gives no answer, a key in memory serves on, and is read again after this time. */
const againAfterMs = 5_000;
/** Not for longer than this after its last answer: meanwhile an erasure may have destroyed the key. */
const longestSilenceMs = 15 * 60_000;
/** A key in memory serves on where it is not read again within this time: the embedded database has no time limit of its own. */
const refreshedWithinMs = 1_500;
/** The same where no key is in memory: longer, because nothing can serve in its place. */
const answersWithinMs = 5_000;

interface Known {
  key: DataKey;
  /** An instant. */
  freshUntil: number;
}

/** `DataKeys` in the database. */
export interface StoredDataKeys extends DataKeys {
  /** Reads the key of a scope again when it is needed next: it was destroyed. Other processes do so within a minute, or a quarter of an hour without an answer of the database. */
  forget(scope: string): void;
  /**
   * After a rotation of the key ring: wraps keys again that are under an older one of its keys, in the order of their scopes.
   * @param after the scope that the last call ended with
   * @returns `last`: null where there are no more; `unreadable`: how many no key of the ring unwraps, which stay as they are
   */
  wrapAgain(limit: number, after: string): Promise<{ last: string | null; unreadable: number }>;
}

export interface DataKeyOptions {
  wrap: KeyWrap;
  /** The same of each read, by scope; see `DataKeys`. */
  remainsOf: DataKeys['remainsOf'];
  areWritten?: boolean;
  now?: () => number;
}

/** Data keys in the database, wrapped, and unwrapped in memory: a payload costs no read while its key is there. */
export function createDataKeys(
  db: HandoverDb,
  { wrap, remainsOf, areWritten = true, now = Date.now }: DataKeyOptions,
): StoredDataKeys {
  const known = new LRUCache<string, Known>({
    max: mostInMemory,
    ttl: longestSilenceMs,
    ttlResolution: 0,
    ttlAutopurge: true,
    perf: { now },
  });

  /** The key in memory, or that of the database; an older one in memory where the database gives no answer in time. */
  function get(scope: string, { load, underWay, NoAnswer }: Purpose): DataKey | Promise<DataKey> {
    const found = known.get(scope);
    if (found !== undefined && (found.key === destroyed || now() < found.freshUntil)) return found.key;
    const loaded = underWay.join(scope, async () => {
      const key = await load(scope);
      known.set(scope, { key, freshUntil: now() + freshForMs });
      return key;
    });
    const withinMs = found === undefined ? answersWithinMs : refreshedWithinMs;
    return within(withinMs, loaded, silentError).catch((cause) => {
      if (cause instanceof CodecError) throw cause;
      // a read that was long under way may end after the key's time
      const inMemory = known.get(scope);
      if (inMemory === undefined) throw new NoAnswer({ cause });
      inMemory.freshUntil = Math.max(inMemory.freshUntil, now() + againAfterMs);
      return inMemory.key;
    });
  }

  const read = async (scope: string): Promise<DataKey> => {
    const rows = await db.execute(
      sql`select encode(wrapped, 'base64') as wrapped from ${table} where scope = ${scope}`,
    );
    const [row] = rowsOf<Row>(rows);
    if (row === undefined) throw new MissingDataKeyError(scope);
    return unwrapped(row, scope);
  };

  const readOrMake = dataKeyMaker(db, wrap);

  const unwrapped = async ({ wrapped }: Row, scope: string): Promise<DataKey> =>
    wrapped === null ? destroyed : toDataKey(await wrap.unwrap(Buffer.from(wrapped, 'base64'), scope));

  // a read and a make of the same key fail differently: neither waits for the other
  const reading: Purpose = { load: read, underWay: new LoadsUnderWay(), NoAnswer: DataKeyNotRead };
  const writing: Purpose = { load: readOrMake, underWay: new LoadsUnderWay(), NoAnswer: DataKeyNotMade };
  return {
    areWritten,
    forWriting: (scope) => (areWritten ? get(scope, writing) : undefined),
    forReading: (scope) => get(scope, reading),
    remainsOf,
    forget: (scope) => void known.delete(scope),
    async wrapAgain(limit, after) {
      const older = sql`wrapped is not null and wrapped_under <> ${wrap.keyId}`;
      let unreadable = 0;
      const rows = await db.execute(sql`
        select scope, encode(wrapped, 'base64') as wrapped from ${table}
        where ${older} and scope > ${after} order by scope limit ${limit}`);
      const found = rowsOf<{ scope: string; wrapped: string }>(rows);
      for (const { scope, wrapped } of found) {
        const key = await wrap.unwrap(Buffer.from(wrapped, 'base64'), scope).catch((error) => {
          if (error instanceof CodecError) return undefined;
          throw error;
        });
        if (key === undefined) {
          unreadable += 1;
          continue;
        }
        const again = (await wrap.wrap(key, scope)).toString('base64');
        // not where it was destroyed meanwhile
        await db.execute(sql`
          update ${table} set wrapped = decode(${again}, 'base64'), wrapped_under = ${wrap.keyId}
          where scope = ${scope} and ${older}`);
      }
      return { last: found.length < limit ? null : (found.at(-1)?.scope ?? null), unreadable };
    },
  };
}

interface Purpose {
  load: (scope: string) => Promise<DataKey>;
  underWay: LoadsUnderWay;
  NoAnswer: typeof DataKeyNotRead | typeof DataKeyNotMade;
}

const silentError = () =>
  new DatabaseError('DATABASE_SILENT', 'the database gave no answer about a data key in time');

/** Null: destroyed. */
interface Row {
  wrapped: string | null;
}
