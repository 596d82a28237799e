import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';

/** The tables in an order in which rows can be put into them: those that others refer to come first. */
export function referredFirst(tables: readonly PgTable[]): PgTable[] {
  const ordered = new Set<PgTable>();
  const add = (table: PgTable): void => {
    if (ordered.has(table)) return;
    for (const key of getTableConfig(table).foreignKeys) add(key.reference().foreignTable);
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}
