import { type SQL, sql } from 'drizzle-orm';

/**
 * @param read runs one statement and returns its rows
 * @throws where the database does not answer, or accepts no writes: a standby, or a full disk that its provider locked
 */
export async function assertWritable(read: (statement: SQL) => Promise<unknown[]>): Promise<void> {
  const answer = await read(sql`select current_setting('transaction_read_only') as "readOnly"`);
  const [row] = answer as { readOnly: string }[];
  if (row?.readOnly !== 'off') throw new Error('the database takes no writes');
}
