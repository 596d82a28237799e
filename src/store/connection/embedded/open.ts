import { mkdir } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { lockFolder } from '../../files/folder-lock.js';
import type { DatabaseOptions, Db, OpenDatabase, Tables } from '../database.js';
import { DatabaseError, databaseErrorCode, outdatedError } from '../errors.js';
import { applyTogether } from '../migrations.js';
import { measureStatements } from '../on-statement.js';
import { makeCheckpoints } from './checkpoints.js';
import type { OnNotification } from './client.js';
import { commitOn } from './commit.js';
import { openPglite } from './pglite.js';
import { isFull, Reopening } from './reopening.js';
import { EmbeddedSessions } from './sessions.js';
import { startThread } from './thread/start.js';

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
  const { folder, channels = [], log } = options;
  const onNotification: OnNotification = (channel, payload) => sessions.notify(channel, payload);
  const open = () =>
    options.ownThread === true
      ? startThread({ folder, channels }, onNotification, log)
      : openPglite({ folder, channels }, onNotification);
  const client = new Reopening(
    folder,
    () => readable(folder, open),
    // one connection runs everything
    { measure: measureStatements(options.onStatement, 'long'), log },
  );
  const sessions = new EmbeddedSessions((text, values) => client.query(text, values));
  // one that opens again may have missed something: an empty payload states it
  client.onOpen(() => {
    for (const channel of channels) sessions.notify(channel);
  });
  try {
    await client.start();
    const db = drizzle(client as unknown as PGlite, { schema: options.tables });
    await applyTogether(db as unknown as Db, options.migrations).catch((cause: unknown) => {
      throw hasEnded(cause) ? endedError(options.folder, cause) : outdatedError(options.folder, cause);
    });
    // a long step of an update is no hang
    client.onOpen(({ watch }) => watch?.());
    const endCheckpoints = makeCheckpoints(client, log);
    const close = () => {
      endCheckpoints();
      return client.close().finally(() => lock.release());
    };
    return {
      kind: 'pglite',
      db: db as unknown as Db<T>,
      // no time limit: one that hangs is ended, where it has a thread of its own
      prompt: db as unknown as Db<T>,
      // a callback's sender waits 5 s (G33)
      commit: commitOn(client.urgently),
      session: async () => sessions.open(),
      notify: async (channel) => sessions.notify(channel),
      ...(options.ownThread === true && {
        share: (give) =>
          client.onOpen(({ share }) => {
            if (share) give(share());
          }),
      }),
      close,
    };
  } catch (error) {
    await client.close().catch(() => {});
    await lock.release();
    throw error;
  }
}

/** It ended, or its disk is full: its tables are not to blame. */
const hasEnded = (cause: unknown) => /^(DATABASE_SILENT$|53)/.test(databaseErrorCode(cause));

const endedError = (folder: string, cause: unknown) =>
  new DatabaseError(
    'DATABASE_SILENT',
    `the embedded database in ${folder} ended while its tables were updated (${databaseErrorCode(cause)}); check its disk, and start again`,
    { cause },
  );

async function readable<R>(folder: string, open: () => Promise<R>): Promise<R> {
  try {
    return await open();
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause;
    if (await isFull(folder).catch(() => false))
      throw new DatabaseError(
        'DATA_FOLDER_UNWRITABLE',
        `the disk of the data folder ${folder} is full; free disk space`,
        { cause },
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
