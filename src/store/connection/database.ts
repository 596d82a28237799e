import type { MessagePort } from 'node:worker_threads';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { CommitTogether } from './commit.js';
import type { OnStatement } from './on-statement.js';
import type { Session, SessionPurpose } from './session.js';

/** A schema module: `import * as tables from '../schema.js'`. */
export type Tables = Record<string, unknown>;

/** A database of either kind, seen through Drizzle; `T` is the schema module. */
export type Db<T extends Tables = Record<string, never>> = PgDatabase<PgQueryResultHKT, T>;

export interface OpenDatabase<T extends Tables> {
  kind: 'pglite' | 'postgres';
  /** Statements that may take long. When a server falls silent, they are abandoned like those of `prompt`. */
  db: Db<T>;
  /**
   * The same database for statements that a person, a callback or a workflow task waits for: each answers or fails within
   * `promptWithinMs`, and fails at once (`DATABASE_SILENT`) while a server is known to be silent. A failed statement may
   * still take effect: use it only for statements that may run twice. On a server they have separate connections.
   */
  prompt: Db<T>;
  /**
   * For writes that a request waits for. The embedded database has one connection, in this process: there the
   * commits run one after the other, and none is abandoned; one under way while its thread is ended may be committed all the same.
   */
  commit: CommitTogether;
  /**
   * A connection of its own, for leases and notifications; the caller closes it.
   * @param purpose by which a server lists it
   */
  session(purpose?: SessionPurpose, release?: string): Promise<Session>;
  /** Notifies every session that listens to `channel`. */
  notify(channel: string): Promise<void>;
  /**
   * An embedded database with a thread of its own: `give` gets a port for another thread, by which that one connects
   * (`connect`), now and each time the database opens again. @returns ends that
   */
  share?(give: (port: MessagePort) => void): () => void;
  close(): Promise<void>;
}

export interface MigrationLimits {
  /** How long another process may hold the migration lock. */
  turnMs: number;
  /**
   * How long one change waits for its locks on tables, all of them together. Writers queue behind it meanwhile. Shorter than
   * the server's deadlock timeout of a second, so that in a deadlock this transaction ends and never that of a worker.
   */
  lockMs: number;
  /** How long such a change is tried again. */
  retryMs: number;
}

/** Gets no values of statements, which may be personal data (L60). */
export interface DatabaseLog {
  error(fields: { code?: string }, message: string): void;
}

export interface DatabaseOptions<T extends Tables> {
  /** `postgres://…`: a real server. Otherwise `folder` holds an embedded database of this process alone. */
  url?: string | undefined;
  folder: string;
  /** The embedded database runs in a thread of its own, so that its statements keep nothing else waiting. */
  ownThread?: boolean | undefined;
  tables: T;
  /** Folder of Drizzle migrations, applied before the promise resolves. */
  migrations: string;
  /** Of migrations on a real server. */
  migrationLimits?: Partial<MigrationLimits>;
  /** Channels on which statements of the database notify (`pg_notify`); a session of a real server receives any. */
  channels?: readonly string[];
  /** Connections to a real server. */
  poolSize?: number;
  /** How long a real server may take for one statement. */
  answerWithinMs?: number;
  /** How long a real server may take for one statement or transaction of `prompt`. */
  promptWithinMs?: number;
  /** For an embedded database that ends by itself. */
  log?: DatabaseLog | undefined;
  /** For metrics. */
  onStatement?: OnStatement | undefined;
}
