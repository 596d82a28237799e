import { isNotNull } from 'drizzle-orm';
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
