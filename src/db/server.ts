import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { DatabaseError, databaseErrorCode, outdated } from './errors.js';
import type { DatabaseOptions, Db, OpenDatabase, Tables } from './open.js';
import { openServerSession, serverLockHolder } from './session.js';

/** Any two processes that bring one database up to date hold this lock in turn ("handover" in ASCII, cut). */
const migrationLock = 0x68616e64;

/** A real Postgres server at `url`. */
export async function openServer<T extends Tables>(
  options: DatabaseOptions<T>,
  url: string,
): Promise<OpenDatabase<T>> {
  // a migration takes as long as it takes
  const migrating = createPool(url, { max: 1 });
  try {
    const client = await connect(migrating, url);
    try {
      await bringUpToDate(client, options.migrations);
    } catch (cause) {
      throw outdated(masked(url), cause);
    } finally {
      client.release();
    }
  } finally {
    await migrating.end();
  }
  // a server that falls silent (a cut line, a failover) would hold a query for a quarter of an hour
  const pool = createPool(url, {
    max: options.poolSize ?? 10,
    query_timeout: options.answerWithinMs ?? 30_000,
  });
  const db = drizzle(pool, { schema: options.tables }) as unknown as Db<T>;
  db.transaction = (work, settings) =>
    ofItsOwn(pool, (client) =>
      (drizzle(client, { schema: options.tables }) as unknown as Db<T>).transaction(work, settings),
    );
  return {
    kind: 'postgres',
    db,
    session: () => openServerSession(url),
    lockHolder: (key) => serverLockHolder(pool, key),
    notify: async (channel) => void (await pool.query("select pg_notify($1, '')", [channel])),
    close: () => pool.end(),
  };
}

/**
 * Runs a transaction on a connection of its own. Drizzle's keeps the connection for ever where `begin` fails, and gives one
 * that fell silent back as if it were sound. After any failure the connection is closed: only a commit proves it.
 */
async function ofItsOwn<R>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<R>): Promise<R> {
  const client = await pool.connect();
  let failed = true;
  try {
    const result = await work(client);
    failed = false;
    return result;
  } finally {
    client.release(failed);
  }
}

function createPool(url: string, options: pg.PoolConfig): pg.Pool {
  let pool: pg.Pool;
  try {
    pool = new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      ...options,
    });
  } catch (cause) {
    throw new DatabaseError('DATABASE_UNREACHABLE', `the database address ${masked(url)} cannot be read`, {
      cause,
    });
  }
  pool.on('error', () => {}); // an idle connection broke: the next query opens a new one or fails itself
  // one that breaks between two statements of a transaction fails the next; unheard it would end the process
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function connect(pool: pg.Pool, url: string): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (cause) {
    const code = databaseErrorCode(cause);
    throw new DatabaseError(
      'DATABASE_UNREACHABLE',
      `the database ${masked(url)} cannot be reached (${code}); check its address, user and password, and that it runs`,
      { cause },
    );
  }
}

async function bringUpToDate(client: pg.PoolClient, migrationsFolder: string): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  try {
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
  }
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
