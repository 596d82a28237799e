import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import type { EmbeddedClient, EmbeddedOptions, OnNotification } from './client.js';
import { textParsers } from './parsers.js';
import { withPreparedStatements } from './statements.js';
import { watchForEnd } from './watch-for-end.js';

/** Postgres takes 128 MB by default, part of it and 0.07 s of CPU when it starts. What is not in it the system has in memory. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

/**
 * Opens PGlite in this thread.
 * @param rest between two turns of statements and transactions; absent: none
 * @throws what PGlite throws: the folder cannot be read, or its disk is full
 */
export async function openPglite(
  { folder, channels }: EmbeddedOptions,
  onNotification: OnNotification,
  rest?: () => Promise<unknown>,
): Promise<EmbeddedClient> {
  const client = await PGlite.create({
    dataDir: folder,
    extensions: { btree_gist },
    parsers: textParsers,
    startParams,
  });
  // without statistics, which PGlite does not gather, a bitmap scan sorts a whole backlog to find its head
  await client.exec('set enable_bitmapscan = off');
  // the system has its files in memory: an index costs no seek
  await client.exec('set random_page_cost = 1.1');
  client.onNotification(onNotification);
  for (const channel of channels) await client.exec(`listen "${channel}"`);
  const ended = watchForEnd(client);
  return { ...withPreparedStatements(client, rest), ended };
}
