import type { DatabaseOptions, OpenDatabase, Tables } from './database.js';
import { openEmbedded } from './embedded/open.js';
import { openServer } from './server.js';

/**
 * Opens the database with Drizzle and brings its schema up to date.
 * @throws `FolderInUseError` when another process has the embedded folder open; `DatabaseError` when the folder
 * cannot be written or the server does not answer (the message never contains its password).
 */
export async function openDatabase<T extends Tables>(options: DatabaseOptions<T>): Promise<OpenDatabase<T>> {
  return options.url === undefined ? openEmbedded(options) : openServer(options, options.url);
}
