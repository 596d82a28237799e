import { isNotNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { changesChannel } from './changes/channel.js';
import type { Db, OpenDatabase } from './connection/database.js';
import { migrationsFolder } from './connection/migrations-folder.js';
import type { OnStatement } from './connection/on-statement.js';
import { openDatabase } from './connection/open.js';
import * as tables from './schema.js';

/** Handover's own database: inbox, timeline, case files, alerts and their posts. */
export type HandoverDb = Db<typeof tables>;
export type HandoverDatabase = OpenDatabase<typeof tables>;

/** Folder of its migrations. */
export function handoverMigrations(): string {
  return migrationsFolder(import.meta.url);
}

/**
 * Opens Handover's database and migrates it: on the server at `url`, or embedded in `folder`.
 * @throws as `openDatabase`.
 */
export async function openHandoverDatabase(config: {
  url?: string | undefined;
  folder: string;
  poolSize?: number;
  answerWithinMs?: number;
  promptWithinMs?: number;
  onStatement?: OnStatement | undefined;
}): Promise<HandoverDatabase> {
  const opened = await openDatabase({
    ...config,
    tables,
    migrations: handoverMigrations(),
    channels: [changesChannel],
  });
  // an embedded database serves one process: the holder of any lease in it is gone
  if (opened.kind === 'pglite') {
    const { leases } = tables;
    await opened.db.update(leases).set({ expiresAt: null }).where(isNotNull(leases.expiresAt));
  }
  return opened;
}

/** The same on a server, for a command that only reads beside a running cluster: its tables stay as they are. */
export function readHandoverDatabase(url: string): { db: HandoverDb; close(): Promise<void> } {
  const pool = new pg.Pool({ connectionString: url, max: 2, query_timeout: readWithinMs });
  pool.on('error', () => {}); // the running query rejects with the same error
  return { db: drizzle({ client: pool, schema: tables }), close: () => pool.end() };
}

const readWithinMs = 10_000;
