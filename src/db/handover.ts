import { migrationsFolder } from './migrations-folder.js';
import { type Db, type OpenDatabase, openDatabase } from './open.js';
import * as tables from './schema.js';

/** Handover's own database: inbox, timeline, case files, alerts and the posts that tell of them. */
export type HandoverDb = Db<typeof tables>;
export type HandoverDatabase = OpenDatabase<typeof tables>;

/** Folder of what brings its tables up to date. */
export function handoverMigrations(): string {
  return migrationsFolder(import.meta.url);
}

/**
 * Opens Handover's database, up to date: on the server at `url`, or embedded in `folder`.
 * @throws as `openDatabase`.
 */
export function openHandoverDatabase(config: {
  url?: string | undefined;
  folder: string;
  poolSize?: number;
  answerWithinMs?: number;
}): Promise<HandoverDatabase> {
  return openDatabase({ ...config, tables, migrations: handoverMigrations() });
}
