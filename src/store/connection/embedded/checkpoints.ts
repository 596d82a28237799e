import type { DatabaseLog } from '../database.js';
import { databaseErrorCode } from '../errors.js';
import type { Queried } from './client.js';

/** A longer log gets a checkpoint: a recovery reads what is after the last one. */
const mostLogBytes = 64 * 1024 * 1024;
const checkEveryMs = 10_000;

/**
 * Makes a checkpoint whenever the write-ahead log has become long. Postgres leaves that to a process of its own, which PGlite does
 * not have: its log would grow until the database is closed, and after a kill be read from its beginning.
 * @returns ends them
 */
export function makeCheckpoints({ query }: Pick<Queried, 'query'>, log: DatabaseLog | undefined): () => void {
  let [isChecking, isEnded, hasFailed] = [false, false, false];
  const check = async () => {
    const { rows } = await query<{ length: string }>(
      'select (pg_current_wal_lsn() - redo_lsn)::text as length from pg_control_checkpoint()',
    );
    if (Number(rows[0]?.length) > mostLogBytes && !isEnded) await query('checkpoint');
    hasFailed = false;
  };
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    await check().catch((error: unknown) => {
      const code = databaseErrorCode(error);
      // one that is not open opens again by itself, and a recovery ends with a checkpoint
      if (code === 'DATABASE_SILENT' || isEnded || hasFailed) return;
      hasFailed = true;
      log?.error({ code }, 'the embedded database made no checkpoint: it is tried again');
    });
    isChecking = false;
  }, checkEveryMs).unref();
  return () => {
    isEnded = true;
    clearInterval(timer);
  };
}
