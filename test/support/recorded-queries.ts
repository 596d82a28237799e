import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { CommitTogether } from '../../src/store/connection/commit.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import type { HandoverDatabase, HandoverDb } from '../../src/store/handover.js';

/** A database that records its queries, so that a test can read their plans; writes are not recorded. */
export function recordQueries({ db, commit }: Pick<HandoverDatabase, 'db' | 'commit'>) {
  const asked: SQL[] = [];
  const select = (args: unknown[]) => {
    const builder = Reflect.apply(db.select as (...all: unknown[]) => object, db, args);
    return new Proxy(builder, {
      get: (target, key) => (table: unknown) => {
        const query = Reflect.get(target, key).call(target, table) as object & SQLWrapper;
        asked.push(sql`${{ getSQL: () => query.getSQL() }}`);
        return query;
      },
    });
  };
  const recording: HandoverDb = new Proxy(db, {
    get: (target, key) => {
      const value = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (key === 'select') return select(args);
        if (key === 'execute') asked.push(args[0] as SQL);
        return Reflect.apply(value, target, args);
      };
    },
  });
  /** How each statement so far is carried out, as text. */
  const plans = async () => {
    const found: string[] = [];
    for (const statement of asked.splice(0))
      found.push(JSON.stringify(rowsOf(await db.execute(sql`explain ${statement}`))));
    return found;
  };
  const committed: CommitTogether = (one) => {
    asked.push(...one.statements);
    return commit(one);
  };
  return { db: recording, commit: committed, plans };
}
