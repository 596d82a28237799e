import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { DatabaseError, databaseErrorCode } from './errors.js';
import { setLimits } from './server-limits.js';

/**
 * Processes that migrate the same database hold this lock in turn ("hand" in ASCII). It belongs to a transaction: behind some
 * poolers the lock of a session would stay with a connection that others use.
 */
export const migrationLock = 0x68616e64;

/** Its transaction is idle until the last index is built. */
const holderLimits = { statement_timeout: 0, idle_in_transaction_session_timeout: 0, transaction_timeout: 0 };
const pollEveryMs = 100;

/** Connections of a process that migrates. */
export interface MigratingConnections {
  /** Holds the migration lock. */
  holder: ClientBase;
  /** Changes the tables. */
  client: ClientBase;
}

/**
 * Changes the tables while no other process does. The caller closes both connections afterwards, which ends the lock, and what `change` has
 * under way where a connection was lost.
 * @throws DatabaseError where another process has the lock for longer than `turnMs`, or a connection ends meanwhile
 */
export async function inTurn(
  { holder, client }: MigratingConnections,
  turnMs: number,
  change: () => Promise<void>,
): Promise<void> {
  await takeTurn(holder, turnMs);
  await Promise.race([endOf(holder), endOf(client), change()]);
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
    if (rows[0].mine) {
      await holder.query(setLimits(holderLimits, true));
      return;
    }
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

/** Rejects when the connection ends. Where it was idle then, no statement of its own reports that. */
function endOf(connection: ClientBase): Promise<never> {
  return new Promise((_, reject) => {
    const end = (cause?: Error) => {
      const code = cause === undefined ? 'CONNECTION_ENDED' : databaseErrorCode(cause);
      reject(turnLostError(`a connection to the database ended (${code})`, cause));
    };
    connection.once('error', end).once('end', end);
  });
}

/** @param reason why this process stops */
export function turnLostError(reason: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    'DATABASE_MIGRATING',
    `${reason} while this process changed the tables, so another process may change them now: start again, which makes the changes that are missing (docs/releases.md)`,
    { cause },
  );
}
