import { PgDialect } from 'drizzle-orm/pg-core';
import type { CommitTogether } from '../commit.js';
import type { Queried } from './client.js';

const dialect = new PgDialect();

/** Commits one after the other on the one connection, so in order. */
export function commitOn({ query, together }: Queried): CommitTogether {
  return async <Row>({ statements }: Parameters<CommitTogether>[0]) => {
    const all = statements.map((statement) => {
      const { sql: text, params } = dialect.sqlToQuery(statement);
      return { text, params };
    });
    const [only] = all;
    if (only === undefined) return [];
    if (all.length === 1) return (await query<Row>(only.text, only.params)).rows;
    return together<Row>(all);
  };
}
