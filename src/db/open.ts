import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { openEmbedded } from './embedded.js';
import { openServer } from './server.js';
import type { LockHolder, Session } from './session.js';

/** A schema module: `import * as tables from './schema.js'`. */
export type Tables = Record<string, unknown>;

/** A database of either kind, seen through Drizzle; `T` is the schema module. */
export type Db<T extends Tables = Record<string, never>> = PgDatabase<PgQueryResultHKT, T>;

export interface OpenDatabase<T extends Tables> {
  kind: 'pglite' | 'postgres';
  db: Db<T>;
  /** A connection of its own, for locks and notifications; the caller closes it. */
  session(): Promise<Session>;
  /** Which session has lock `key`; null: none. */
  lockHolder(key: number): Promise<LockHolder | null>;
  /** Tells every session that listens to `channel`. */
  notify(channel: string): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions<T extends Tables> {
  /** `postgres://…`: a real server. Otherwise `folder` holds an embedded database of this process alone. */
  url?: string | undefined;
  folder: string;
  tables: T;
  /** Folder of Drizzle migrations, applied before the promise resolves. */
  migrations: string;
  /** Connections to a real server. */
  poolSize?: number;
  /** How long a real server may take for one statement. */
  answerWithinMs?: number;
}

/**
 * Opens the database, brings its schema up to date, and hands it out through Drizzle.
 * @throws `FolderInUseError` when another process has the embedded folder open; `DatabaseError` when the folder
 * cannot be written or the server does not answer (its password never stands in the message).
 */
export async function openDatabase<T extends Tables>(options: DatabaseOptions<T>): Promise<OpenDatabase<T>> {
  return options.url === undefined ? openEmbedded(options) : openServer(options, options.url);
}
