import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { readBackend } from './backend.js';
import type { MigrationLimits } from './database.js';
import { DatabaseError, databaseErrorCode, isLockedOut } from './errors.js';
import { type Migration, makeJournal, missingOf, newestApplied, readMigrations } from './migrations.js';
import { readLimits, setLimits } from './server-limits.js';
import { inTurn, type MigratingConnections, migrationLock, turnLostError } from './server-turn.js';

const usualLimits: MigrationLimits = { turnMs: 5 * 60_000, lockMs: 400, retryMs: 2 * 60_000 };
const pollEveryMs = 100;
const pauseMs = 500;

/** A concurrent index takes as long as it takes, and waits for transactions that others hold open. */
const indexLimits = { statement_timeout: 0, lock_timeout: 0, transaction_timeout: 0 };
/** Others wait for the locks of this transaction: it ends where this process is frozen between two statements. */
const transactionLimits = {
  statement_timeout: 0,
  transaction_timeout: 0,
  idle_in_transaction_session_timeout: 30_000,
};
/** One record at a time. */
const recordLock = migrationLock + 1;

/**
 * Brings the tables of a server up to date beside processes that use them: each migration in a transaction of its own,
 * which yields where it would make writers wait, and indexes concurrently. Time limits of the database's user do not apply, except
 * behind a pooler to indexes: no transaction holds them, and settings of a session belong to others there.
 * @throws DatabaseError where another process migrates for too long, a connection ends, the server cancels an index, or a table
 * stays locked; the driver's error
 */
export async function migrateServer(
  connections: MigratingConnections,
  folder: string,
  limits: Partial<MigrationLimits> = {},
): Promise<void> {
  const { client } = connections;
  const { turnMs, ...how } = { ...usualLimits, ...limits };
  if ((await readBackend(client)) !== null)
    await client.query(setLimits({ ...indexLimits, idle_session_timeout: 0 }, false));
  await inTurn(connections, turnMs, async () => {
    for (const statement of makeJournal) await client.query(statement);
    const { rows } = await client.query<{ newest: string | null }>(newestApplied);
    for (const migration of missingOf(readMigrations(folder), rows[0]?.newest)) {
      if (migration.isConcurrent) await applyConcurrently(client, migration);
      else await applyPromptly(client, migration, how);
    }
  });
}

async function applyPromptly(
  client: ClientBase,
  migration: Migration,
  { lockMs, retryMs }: Omit<MigrationLimits, 'turnMs'>,
): Promise<void> {
  for (const giveUpAt = Date.now() + retryMs; ; await sleep(pauseMs)) {
    try {
      await client.query('begin');
      await client.query(setLimits(transactionLimits, true));
      const lockBy = Date.now() + lockMs;
      for (const statement of migration.statements) {
        await client.query(`set local lock_timeout = ${Math.max(lockBy - Date.now(), 1)}`);
        await client.query(statement);
      }
      await record(client, migration);
      await client.query('commit');
      return;
    } catch (error) {
      // fails where the connection has ended, which is the error then
      await client.query('rollback').catch(() => {});
      if (!isLockedOut(error)) throw error;
      if (Date.now() < giveUpAt) continue;
      throw new DatabaseError(
        'DATABASE_MIGRATING',
        `a change of the tables gets no lock within ${lockMs} ms, tried for ${Math.round(retryMs / 1_000)} s: a session holds one all the time; find it and end it (docs/releases.md), then start again`,
        { cause: error },
      );
    }
  }
}

async function applyConcurrently(client: ClientBase, migration: Migration): Promise<void> {
  const limits = await readLimits(client, indexLimits);
  for (const statement of migration.statements) {
    const index = /^\s*CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?"(\w+)"/i.exec(
      statement,
    )?.[1];
    try {
      if (index !== undefined) await dropCutOff(client, index);
      await client.query(statement);
    } catch (cause) {
      throw cancelCodes.has(databaseErrorCode(cause)) ? cancelledError(limits, cause) : cause;
    }
  }
  await client.query('begin');
  await record(client, migration);
  await client.query('commit');
}

/** By a statement's time limit or an operator, a lock's and a transaction's time limit. */
const cancelCodes = new Set(['57014', '55P03', '25P04']);

function cancelledError(limits: string | null, cause: unknown): DatabaseError {
  const reason =
    limits === null
      ? ': find out what cancels statements'
      : `, for whose user ${limits} applies, which cannot be switched off through a pooler: give DATABASE_URL a direct connection, or set it to 0 for that user (docs/deploying.md)`;
  return new DatabaseError(
    'DATABASE_NOT_MIGRATED',
    `the build of an index was cancelled by the server (${databaseErrorCode(cause)})${reason}; the next start builds it again`,
    { cause },
  );
}

/**
 * A build that was cut off leaves an index that serves no query. The server continues to build for a process that was killed: dropped then,
 * a build that takes longer than the process lives would begin again with each start.
 */
async function dropCutOff(client: ClientBase, index: string): Promise<void> {
  let found = await stateOf(client, index);
  while (found?.being_built) {
    await sleep(pollEveryMs);
    found = await stateOf(client, index);
  }
  if (found?.valid === false) await client.query(`drop index concurrently "${index}"`);
}

async function stateOf(client: ClientBase, index: string) {
  const { rows } = await client.query<{ valid: boolean; being_built: boolean }>(
    `select indisvalid as valid,
       exists (select from pg_stat_progress_create_index where index_relid = indexrelid) as being_built
     from pg_index where indexrelid = to_regclass($1)`,
    [`"${index}"`],
  );
  return rows[0];
}

/**
 * Within a transaction. A process that lost its turn unnoticed makes no change twice: what is recorded already stays as it is.
 * @throws DatabaseError where it is
 */
async function record(client: ClientBase, { hash, when }: Migration): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${recordLock})`);
  const { rowCount } = await client.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) select $1::text, $2::bigint
     where not exists (select from drizzle.__drizzle_migrations where created_at = $2::bigint)`,
    [hash, when],
  );
  if (rowCount === 0) throw turnLostError('another process has made the same change');
}
