import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { MigrationLimits } from './database.js';
import { DatabaseError, isLockedOut } from './errors.js';
import { type Migration, makeJournal, missingOf, newestApplied, readMigrations } from './migrations.js';

/**
 * Processes that migrate the same database hold this lock in turn ("hand" in ASCII). It belongs to a transaction: behind some
 * poolers the lock of a session would stay with a connection that others use.
 */
const migrationLock = 0x68616e64;

const usualLimits: MigrationLimits = { turnMs: 5 * 60_000, lockMs: 400, retryMs: 2 * 60_000 };
const pollEveryMs = 100;
const pauseMs = 500;

/**
 * Brings the tables of a server up to date beside processes that use them: each migration in a transaction of its own,
 * which yields where it would make writers wait, and indexes concurrently.
 * @param holder connection that holds the migration lock
 * @param client connection that changes the tables
 * @throws DatabaseError where another process migrates for too long, or a table stays locked; the driver's error
 */
export async function migrateServer(
  { holder, client }: { holder: ClientBase; client: ClientBase },
  folder: string,
  limits: Partial<MigrationLimits> = {},
): Promise<void> {
  const { turnMs, ...how } = { ...usualLimits, ...limits };
  await takeTurn(holder, turnMs);
  for (const statement of makeJournal) await client.query(statement);
  const { rows } = await client.query<{ newest: string | null }>(newestApplied);
  for (const migration of missingOf(readMigrations(folder), rows[0]?.newest)) {
    if (migration.isConcurrent) await applyConcurrently(client, migration);
    else await applyPromptly(client, migration, how);
  }
}

/**
 * Polls, each time in a transaction of its own, which has the lock in the end, and sends no parameters: a statement that waits for the lock
 * has a snapshot, as the portal of one with parameters until the transaction ends, and a concurrent index waits for the end of each
 * transaction that has one when the index is built, even if it gives the snapshot up meanwhile.
 */
async function takeTurn(holder: ClientBase, turnMs: number): Promise<void> {
  for (const giveUpAt = Date.now() + turnMs; ; await sleep(pollEveryMs)) {
    await holder.query('begin');
    const { rows } = await holder.query(`select pg_try_advisory_xact_lock(${migrationLock}) as mine`);
    if (rows[0].mine) return;
    await holder.query('rollback');
    if (Date.now() < giveUpAt) continue;
    throw new DatabaseError(
      'DATABASE_MIGRATING',
      `another process has been changing the tables for more than ${Math.round(turnMs / 1_000)} s (${await holderOf(holder)}); wait until it has finished and start again, or end that process if it hangs (docs/releases.md)`,
    );
  }
}

async function holderOf(holder: ClientBase): Promise<string> {
  const { rows } = await holder.query<{ pid: number; address: string | null; since: string }>(
    `select pid, host(client_addr) as address, to_char(xact_start, 'YYYY-MM-DD HH24:MI:SSOF') as since
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = 0 and objid = $1 and granted`,
    [migrationLock],
  );
  const [found] = rows;
  return found === undefined
    ? 'which is gone by now'
    : `backend ${found.pid} of ${found.address ?? 'this machine'}, since ${found.since}`;
}

async function applyPromptly(
  client: ClientBase,
  migration: Migration,
  { lockMs, retryMs }: Omit<MigrationLimits, 'turnMs'>,
): Promise<void> {
  for (const giveUpAt = Date.now() + retryMs; ; await sleep(pauseMs)) {
    try {
      await client.query('begin');
      const lockBy = Date.now() + lockMs;
      for (const statement of migration.statements) {
        await client.query(`set local lock_timeout = ${Math.max(lockBy - Date.now(), 1)}`);
        await client.query(statement);
      }
      await record(client, migration);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
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
  for (const statement of migration.statements) {
    const index = /^\s*CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?"(\w+)"/i.exec(
      statement,
    )?.[1];
    if (index !== undefined) await dropCutOff(client, index);
    await client.query(statement);
  }
  await record(client, migration);
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

async function record(client: ClientBase, { hash, when }: Migration): Promise<void> {
  const insert = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)';
  await client.query(insert, [hash, when]);
}
