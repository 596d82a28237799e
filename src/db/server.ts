import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { DatabaseError, databaseErrorCode } from './errors.js';
import type { DatabaseOptions, Db, OpenDatabase, Tables } from './open.js';

/** Any two processes that bring one database up to date hold this lock in turn ("handover" in ASCII, cut). */
const migrationLock = 0x68616e64;

/** A real Postgres server at `url`. */
export async function openServer<T extends Tables>(
  options: DatabaseOptions<T>,
  url: string,
): Promise<OpenDatabase<T>> {
  const pool = connect(url, options.poolSize ?? 10);
  try {
    await bringUpToDate(pool, options.migrations);
  } catch (error) {
    await pool.end();
    throw isUnreachable(error) ? unreachable(url, error) : error;
  }
  const db = drizzle(pool, { schema: options.tables });
  return { kind: 'postgres', db: db as unknown as Db<T>, close: () => pool.end() };
}

function connect(url: string, max: number): pg.Pool {
  let pool: pg.Pool;
  try {
    pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 10_000, keepAlive: true });
  } catch (cause) {
    throw new DatabaseError('DATABASE_UNREACHABLE', `the database address ${masked(url)} cannot be read`, {
      cause,
    });
  }
  pool.on('error', () => {}); // an idle connection broke: the next query opens a new one or fails itself
  return pool;
}

async function bringUpToDate(pool: pg.Pool, migrationsFolder: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    try {
      await migrate(drizzle(client), { migrationsFolder });
    } finally {
      await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    }
  } finally {
    client.release();
  }
}

/** Class 08: connection; 28: who; 3D: which database; 57P: going down or starting; and the system's own codes. */
function isUnreachable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return /^(08|28|3D|57P)/.test(code) || /^E[A-Z]+$/.test(code) || code === 'UNKNOWN';
}

function unreachable(url: string, cause: unknown): DatabaseError {
  return new DatabaseError(
    'DATABASE_UNREACHABLE',
    `the database ${masked(url)} cannot be used (${databaseErrorCode(cause)}); check its address, user and that it runs`,
    { cause },
  );
}

/** The address without its password, nor parameters, which may hold one. */
function masked(url: string): string {
  try {
    const { protocol, username, password, host, pathname } = new URL(url);
    const user = username === '' ? '' : `${username}${password === '' ? '' : ':***'}@`;
    return `${protocol}//${user}${host}${pathname}`;
  } catch {
    return '(not a URL)';
  }
}
