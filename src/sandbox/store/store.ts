import { fileURLToPath } from 'node:url';
import type { Db, OpenDatabase } from '../../store/connection/database.js';
import { openDatabase } from '../../store/connection/open.js';
import * as tables from './schema.js';

export type SandboxDb = Db<typeof tables>;
/** A connection or a transaction: what a query needs. */
export type Executor = Pick<SandboxDb, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete'>;

export type Transaction = Parameters<Parameters<SandboxDb['transaction']>[0]>[0];

/** Opens the sandbox's own database (a folder of its own, or a Postgres server) with its schema up to date. */
export function openStore(options: {
  folder: string;
  databaseUrl?: string | undefined;
}): Promise<OpenDatabase<typeof tables>> {
  return openDatabase({
    url: options.databaseUrl,
    folder: options.folder,
    tables,
    migrations: fileURLToPath(new URL('./migrations', import.meta.url)),
    // no acknowledgement waits here: on a busy machine an answer may take long
    promptWithinMs: 30_000,
  });
}

/** The SQL state of a failed query, e.g. `23P01` for a broken exclusion constraint; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Whether a write failed because another schedule of the car is in the way. Two writes that wait for each other at the
 * constraint end as a deadlock (`40P01`) for one of them: it lost against the other's period.
 */
export const isOverlap = (error: unknown): boolean => ['23P01', '40P01'].includes(sqlState(error) ?? '');
