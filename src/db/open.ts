import { mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { lockFolder } from './folder-lock.js';

/** A database of either kind, seen through Drizzle; `Tables` is the schema module. */
export type Db<Tables extends Record<string, unknown> = Record<string, never>> = PgDatabase<
  PgQueryResultHKT,
  Tables
>;

export interface OpenDatabase<Tables extends Record<string, unknown>> {
  kind: 'pglite' | 'postgres';
  db: Db<Tables>;
  close(): Promise<void>;
}

export interface DatabaseOptions<Tables extends Record<string, unknown>> {
  /** `postgres://…`: a real server. Otherwise `folder` holds an embedded database of this process alone. */
  url?: string | undefined;
  folder: string;
  tables: Tables;
  /** Folder of Drizzle migrations, applied before the promise resolves. */
  migrations: string;
  /** Connections to a real server. */
  poolSize?: number;
}

/**
 * Opens the database, brings its schema up to date, and hands it out through Drizzle.
 * @throws `FolderInUseError` when another process has the embedded folder open.
 */
export async function openDatabase<Tables extends Record<string, unknown>>(
  options: DatabaseOptions<Tables>,
): Promise<OpenDatabase<Tables>> {
  return options.url === undefined ? openEmbedded(options) : openServer(options, options.url);
}

async function openEmbedded<Tables extends Record<string, unknown>>(
  options: DatabaseOptions<Tables>,
): Promise<OpenDatabase<Tables>> {
  await mkdir(options.folder, { recursive: true });
  const lock = await lockFolder(options.folder);
  try {
    const client = await PGlite.create({ dataDir: options.folder, extensions: { btree_gist } });
    const db = drizzlePglite(client, { schema: options.tables });
    await migratePglite(db, { migrationsFolder: options.migrations });
    const close = async () => {
      await client.close();
      await lock.release();
    };
    return { kind: 'pglite', db: db as unknown as Db<Tables>, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openServer<Tables extends Record<string, unknown>>(
  options: DatabaseOptions<Tables>,
  url: string,
): Promise<OpenDatabase<Tables>> {
  const pool = new pg.Pool({ connectionString: url, max: options.poolSize ?? 10 });
  pool.on('error', () => {}); // an idle connection broke: the next query opens a new one or fails itself
  try {
    const db = drizzlePg(pool, { schema: options.tables });
    await migratePg(db, { migrationsFolder: options.migrations });
    return { kind: 'postgres', db: db as unknown as Db<Tables>, close: () => pool.end() };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
