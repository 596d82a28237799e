import { mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { drizzle } from 'drizzle-orm/pglite';
import { lockFolder } from '../files/folder-lock.js';
import type { CommitTogether } from './commit.js';
import type { DatabaseOptions, Db, OpenDatabase, Tables } from './database.js';
import { EmbeddedSessions } from './embedded-sessions.js';
import { withPreparedStatements } from './embedded-statements.js';
import { DatabaseError, outdatedError } from './errors.js';
import { applyTogether } from './migrations.js';
import { measureStatements } from './on-statement.js';
import { textParsers } from './parsers.js';
import { isFull, Reopening } from './reopening.js';
import { rowsOf } from './rows.js';

const unwritable = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOSPC', 'EDQUOT', 'EEXIST']);

/**
 * An embedded database (PGlite) in `options.folder`, for this process alone.
 *
 * The speed settings keep their defaults. A commit is written to the file before the query returns, so it survives
 * SIGKILL; `synchronous_commit=off` would leave it in this process's memory, and `relaxedDurability`
 * changes nothing for a folder. It does not fsync: a power cut may lose the last moments (README).
 */
export async function openEmbedded<T extends Tables>(options: DatabaseOptions<T>): Promise<OpenDatabase<T>> {
  const lock = await writable(options.folder, async () => {
    await mkdir(options.folder, { recursive: true });
    return lockFolder(options.folder);
  });
  const client = new Reopening(
    options.folder,
    async () => {
      const opened = await start(options.folder);
      await receiveNotifications(opened, options.channels ?? [], sessions);
      return withPreparedStatements(opened);
    },
    // one connection runs everything
    measureStatements(options.onStatement, 'long'),
  );
  const sessions = new EmbeddedSessions((text, values) => client.query(text, values));
  try {
    await client.start();
    const db = drizzle(client as unknown as PGlite, { schema: options.tables });
    await applyTogether(db as unknown as Db, options.migrations).catch((cause: unknown) => {
      throw outdatedError(options.folder, cause);
    });
    const close = async () => {
      await client.close();
      await lock.release();
    };
    return {
      kind: 'pglite',
      db: db as unknown as Db<T>,
      // it runs in this process and cannot fall silent
      prompt: db as unknown as Db<T>,
      // a callback's sender waits 5 s (G33)
      commit: commitOn(drizzle(client.urgently as unknown as PGlite) as unknown as Db),
      session: async () => sessions.open(),
      notify: async (channel) => sessions.notify(channel),
      close,
    };
  } catch (error) {
    await client.close().catch(() => {});
    await lock.release();
    throw error;
  }
}

/** Passes on what statements of the database notify. One that opens again may have missed something: an empty payload states it. */
async function receiveNotifications(
  client: PGlite,
  channels: readonly string[],
  sessions: EmbeddedSessions,
): Promise<void> {
  client.onNotification((channel, payload) => sessions.notify(channel, payload));
  for (const channel of channels) {
    await client.exec(`listen "${channel}"`);
    sessions.notify(channel);
  }
}

/** Commits one after the other on the one connection, so in order. */
function commitOn(db: Db): CommitTogether {
  return async <Row>({ statements: [...first] }: Parameters<CommitTogether>[0]) => {
    const last = first.pop();
    if (last === undefined) return [];
    if (first.length === 0) return rowsOf<Row>(await db.execute(last));
    return db.transaction(async (tx) => {
      for (const statement of first) await tx.execute(statement);
      return rowsOf<Row>(await tx.execute(last));
    });
  };
}

/** Postgres takes 128 MB by default, part of it and 0.07 s of CPU when it starts. What is not in it the system has in memory. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

async function start(folder: string): Promise<PGlite> {
  try {
    const client = await PGlite.create({
      dataDir: folder,
      extensions: { btree_gist },
      parsers: textParsers,
      startParams,
    });
    // without statistics, which PGlite does not gather, a bitmap scan sorts a whole backlog to find its head
    await client.exec('set enable_bitmapscan = off');
    return client;
  } catch (cause) {
    if (await isFull(folder).catch(() => false))
      throw new DatabaseError(
        'DATA_FOLDER_UNWRITABLE',
        `the disk of the data folder ${folder} is full; free disk space`,
        {
          cause,
        },
      );
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
