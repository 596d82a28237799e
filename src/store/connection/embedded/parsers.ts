import { type ParserOptions, types } from '@electric-sql/pglite';

/** Types that Drizzle expects as text: times, dates, intervals, and arrays of them. */
const asText = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, 1231, 1115, 1185, 1187, 1182];

/** The same parsers for every query of a database: given once, when it is opened. */
export const textParsers: ParserOptions = Object.fromEntries(
  asText.map((type) => [type, (value: string) => value]),
);
