import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { isDataError, isLockedOut } from './connection/errors.js';
import { GroupCommit } from './connection/group-commit.js';
import { rowsOf } from './connection/rows.js';
import type { HandoverDb } from './handover.js';
import { dataKeys as table } from './schema.js';
import { type DataKey, destroyed, toDataKey } from './sealing/data-keys.js';
import type { KeyWrap } from './sealing/key-wrap.js';

const keyBytes = 32;

interface Wanted {
  scope: string;
  /** Of a new key, base64. */
  wrapped: string;
  /** Set by the write: what the row has (null: its key was destroyed), and whether it is the new key. */
  row?: Row;
}

interface Row {
  scope: string;
  wrapped: string | null;
  isNew: boolean;
}

/**
 * Makes data keys: those that are wanted together are made by one statement, before anything is sent that is encrypted under them.
 * @returns for a scope, of which at most one call may be under way, the key that its row has, else a new one: of several processes that make one,
 * the first does
 */
export function dataKeyMaker(db: HandoverDb, wrap: KeyWrap): (scope: string) => Promise<DataKey> {
  const group = new GroupCommit<Wanted>({
    write: (wanted) => insertMissing(db, wrap.keyId, wanted),
    // one whose row an erasure is writing fails alone
    isItemsFault: (error) => isDataError(error) || isLockedOut(error),
    maxItems: 64,
    // a silent connection delays only those that it has
    beside: { most: 4, afterMs: 100, keyOf: ({ scope }) => scope },
  });
  return async (scope) => {
    const fresh = randomBytes(keyBytes);
    const wanted: Wanted = { scope, wrapped: (await wrap.wrap(fresh, scope)).toString('base64') };
    // no row: another process has made it since the statement began
    while (wanted.row === undefined) await group.add(wanted);
    const { wrapped, isNew } = wanted.row;
    if (isNew) return toDataKey(fresh);
    return wrapped === null ? destroyed : toDataKey(await wrap.unwrap(Buffer.from(wrapped, 'base64'), scope));
  };
}

/** In the order of their scopes, so that two processes do not wait for each other. */
async function insertMissing(db: HandoverDb, keyId: string, wanted: readonly Wanted[]): Promise<void> {
  const asked = JSON.stringify(wanted.map(({ scope, wrapped }) => ({ scope, wrapped })));
  const found = await db.execute(sql`
    with wanted as (
      select scope, wrapped from jsonb_to_recordset(${asked}::text::jsonb) as asked(scope text, wrapped text)
    ), made as (
      insert into ${table} (scope, wrapped, wrapped_under)
      select scope, decode(wrapped, 'base64'), ${keyId} from wanted order by scope
      on conflict do nothing returning scope, wrapped
    )
    select scope, encode(wrapped, 'base64') as wrapped, true as "isNew" from made
    union all
    select k.scope, encode(k.wrapped, 'base64'), false from wanted join ${table} k on k.scope = wanted.scope`);
  const rows = new Map(rowsOf<Row>(found).map((row) => [row.scope, row]));
  for (const one of wanted) {
    const row = rows.get(one.scope);
    if (row !== undefined) one.row = row;
  }
}
