import type { DatabaseOptions, OpenDatabase, Tables } from './database.js';
import { openEmbedded } from './embedded.js';
import { openServer } from './server.js';

/**
 * Opens the database, brings its schema up to date, and hands it out through Drizzle.
 * @throws `FolderInUseError` when another process has the embedded folder open; `DatabaseError` when the folder
 * cannot be written or the server does not answer (its password never stands in the message).
 */
export async function openDatabase<T extends Tables>(options: DatabaseOptions<T>): Promise<OpenDatabase<T>> {
  return options.url === undefined ? openEmbedded(options) : openServer(options, options.url);
}
