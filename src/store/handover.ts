import { Socket } from 'node:net';
import { isNotNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { changesChannel } from './changes/channel.js';
import type { DatabaseLog, Db, OpenDatabase } from './connection/database.js';
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
  ownThread?: boolean | undefined;
  poolSize?: number;
  answerWithinMs?: number;
  promptWithinMs?: number;
  log?: DatabaseLog | undefined;
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
  const sockets: Socket[] = [];
  const pool = new pg.Pool({
    connectionString: url,
    max: 3,
    connectionTimeoutMillis: readWithinMs,
    query_timeout: readWithinMs,
    stream() {
      const socket = new Socket();
      sockets.push(socket);
      return socket;
    },
  });
  pool.on('error', () => {}); // the running query rejects with the same error
  return {
    db: drizzle({ client: pool, schema: tables }),
    async close() {
      const ended = pool.end();
      // a silent server confirms no end, and the process would wait for it
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

/** For the connection, and for each statement. */
const readWithinMs = 5_000;
