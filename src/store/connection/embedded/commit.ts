import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import type { CommitTogether } from '../commit.js';
import { rowsOf } from '../rows.js';
import type { Queried } from './client.js';

/** Commits one after the other on the one connection, so in order. */
export function commitOn(queried: Queried): CommitTogether {
  const db = drizzle(queried as PGlite);
  return async <Row>({ statements: [...first] }: Parameters<CommitTogether>[0]) => {
    const last = first.pop();
    if (last === undefined) return [];
    if (first.length === 0) return rowsOf<Row>(await db.execute(last));
    return db.transaction(async (tx) => {
      for (const statement of first) await tx.execute(statement);
      return rowsOf<Row>(await tx.execute(last));
    });
  };
}
