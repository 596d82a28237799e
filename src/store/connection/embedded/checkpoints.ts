import type { DatabaseLog } from '../database.js';
import { databaseErrorCode } from '../errors.js';
import type { Queried } from './client.js';

interface Limits {
  /** So much of the log a recovery reads at most, and so much of the disk it takes; bytes. */
  mostLog: number;
  everyMs: number;
}

const usual: Limits = { mostLog: 64 * 1024 * 1024, everyMs: 10_000 };

/**
 * Makes a checkpoint whenever the write-ahead log has become long. Postgres leaves that to a process of its own, which PGlite does
 * not have: its log would grow until the database is closed, and after a kill be read from its beginning.
 * @returns ends them
 */
export function makeCheckpoints(
  { query }: Pick<Queried, 'query'>,
  log: DatabaseLog | undefined,
  { mostLog, everyMs }: Limits = usual,
): () => void {
  const check = async () => {
    const { rows } = await query<{ length: string }>(
      'select (pg_current_wal_lsn() - redo_lsn)::text as length from pg_control_checkpoint()',
    );
    if (Number(rows[0]?.length) > mostLog) await query('checkpoint');
  };
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    await check().catch((error: unknown) => {
      // it opens again by itself, and a recovery ends with a checkpoint
      const code = databaseErrorCode(error);
      if (code !== 'DATABASE_SILENT') log?.error({ code }, 'the embedded database made no checkpoint');
    });
    isChecking = false;
  }, everyMs).unref();
  return () => clearInterval(timer);
}
