import { sql } from 'drizzle-orm';
import type { Db, Tables } from './database.js';
import { rowsOf } from './rows.js';

/** A table with its indexes. */
export interface TableSize {
  table: string;
  bytes: number;
  /** As the database last estimated it. */
  rows: number;
}

/** Of the tables that this user sees without naming their schema. */
export async function readTableSizes<T extends Tables>(db: Db<T>): Promise<TableSize[]> {
  const result = await db.execute(sql`
    select relname as table, pg_total_relation_size(oid)::float8 as bytes, greatest(reltuples, 0)::float8 as rows
    from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`);
  return rowsOf<TableSize>(result);
}
