import { type ParserOptions, type PGlite, type QueryOptions, types } from '@electric-sql/pglite';

/** Types that Drizzle wants as the text that the database wrote: times, dates, intervals, and arrays of them. */
const asText = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, 1231, 1115, 1185, 1187, 1182];

/** The same parsers for every query of a database: given once, when it is opened. */
export const textParsers: ParserOptions = Object.fromEntries(
  asText.map((type) => [type, (value: string) => value]),
);

type Querying = Pick<PGlite, 'query'>;

/**
 * Drizzle hands these parsers over with every query, and PGlite then merges them into all of its own each time: a
 * third to a half of the CPU of a small query. This drops them from the queries of a client opened with them.
 */
export function withoutParsersPerQuery(client: PGlite): PGlite {
  lean(client);
  const transaction = client.transaction.bind(client);
  client.transaction = (work) =>
    transaction((tx) => {
      lean(tx);
      return work(tx);
    });
  return client;
}

function lean(client: Querying): void {
  const query = client.query.bind(client) as PGlite['query'];
  client.query = ((text: string, params?: unknown[], options?: QueryOptions) => {
    const { parsers: _given, ...rest } = options ?? {};
    return query(text, params, rest);
  }) as PGlite['query'];
}
