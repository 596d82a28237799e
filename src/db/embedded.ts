import { mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { EmbeddedSessions } from './embedded-sessions.js';
import { DatabaseError, outdated } from './errors.js';
import { lockFolder } from './folder-lock.js';
import type { DatabaseOptions, Db, OpenDatabase, Tables } from './open.js';
import { textParsers, withoutParsersPerQuery } from './parsers.js';

const unwritable = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOSPC', 'EDQUOT', 'EEXIST']);

/**
 * An embedded database (PGlite) in `options.folder`, for this process alone.
 *
 * Its speed settings stay as they come. A commit is written to the file before the query returns, which is what
 * survives SIGKILL; `synchronous_commit=off` would leave it in this process's memory, and `relaxedDurability`
 * changes nothing for a folder. It does not fsync: a power cut may lose the last moments (README).
 */
export async function openEmbedded<T extends Tables>(options: DatabaseOptions<T>): Promise<OpenDatabase<T>> {
  const lock = await writable(options.folder, async () => {
    await mkdir(options.folder, { recursive: true });
    return lockFolder(options.folder);
  });
  let client: PGlite | undefined;
  try {
    client = await start(options.folder);
    // nobody gathers statistics here, and without them a bitmap scan sorts a whole backlog to find its head
    await client.exec('set enable_bitmapscan = off');
    const db = drizzle(client, { schema: options.tables });
    await migrate(db, { migrationsFolder: options.migrations }).catch((cause: unknown) => {
      throw outdated(options.folder, cause);
    });
    const opened = client;
    const close = async () => {
      await opened.close();
      await lock.release();
    };
    const sessions = new EmbeddedSessions();
    return {
      kind: 'pglite',
      db: db as unknown as Db<T>,
      session: async () => sessions.open(),
      lockHolder: async (key) => sessions.holder(key),
      notify: async (channel) => sessions.notify(channel),
      close,
    };
  } catch (error) {
    await client?.close().catch(() => {});
    await lock.release();
    throw error;
  }
}

async function start(folder: string): Promise<PGlite> {
  try {
    return withoutParsersPerQuery(
      await PGlite.create({ dataDir: folder, extensions: { btree_gist }, parsers: textParsers }),
    );
  } catch (cause) {
    throw new DatabaseError(
      'DATABASE_UNREADABLE',
      `the embedded database in ${folder} does not open; restore the folder, or choose another HANDOVER_DATA_DIR`,
      { cause },
    );
  }
}

async function writable<R>(folder: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!unwritable.has(code)) throw error;
    throw new DatabaseError(
      'DATA_FOLDER_UNWRITABLE',
      `the data folder ${folder} cannot be written to (${code}); fix its permissions, or choose another HANDOVER_DATA_DIR`,
      { cause: error },
    );
  }
}
