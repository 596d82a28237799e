import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * Keyed hashes of persons that a row has, with those of a later state: a driver who was replaced is still found. Part of a statement.
 * @param stored null: an earlier release wrote the row
 * @param added hashes, never null
 * @returns `stored` itself where it has them all, which is the usual case
 */
export function unitePersons(stored: SQLWrapper, added: SQLWrapper): SQL {
  return sql`case when ${stored} @> ${added} then ${stored}
    else array(select distinct unnest(coalesce(${stored}, '{}') || ${added})) end`;
}
