import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';

/** Orders tables so that rows can be inserted: a table comes after those that it references. */
export function orderByReference(tables: readonly PgTable[]): PgTable[] {
  const ordered = new Set<PgTable>();
  const add = (table: PgTable): void => {
    if (ordered.has(table)) return;
    for (const key of getTableConfig(table).foreignKeys) add(key.reference().foreignTable);
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}
