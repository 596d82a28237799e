import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { Availability, type Statement } from './availability.js';
import { ServerBounds } from './bounds.js';
import type { DatabaseOptions, Db, OpenDatabase, Tables } from './database.js';
import { DatabaseError, databaseErrorCode, outdated } from './errors.js';
import { openCommitConnections } from './server-commit.js';
import { probeServer } from './server-probe.js';
import { openServerSession } from './session.js';

/**
 * Any two processes that bring one database up to date hold this lock in turn ("handover" in ASCII, cut). It belongs to a
 * transaction: behind some poolers the lock of a session would stay with a connection that others use.
 */
const migrationLock = 0x68616e64;

/** A real Postgres server at `url`. */
export async function openServer<T extends Tables>(
  options: DatabaseOptions<T>,
  url: string,
): Promise<OpenDatabase<T>> {
  // a migration takes as long as it takes; beside it one connection holds the lock
  const migrating = createPool(url, { max: 2 });
  try {
    const client = await connect(migrating, url);
    try {
      await bringUpToDate(migrating, client, options.migrations);
    } catch (cause) {
      throw outdated(masked(url), cause);
    } finally {
      client.release();
    }
  } finally {
    await migrating.end();
  }
  // a server that falls silent (a cut line, a failover) would hold a query for a quarter of an hour
  const answerWithinMs = options.answerWithinMs ?? 30_000;
  const bounds = new ServerBounds(answerWithinMs);
  const pool = createPool(url, {
    max: options.poolSize ?? 10,
    query_timeout: answerWithinMs,
    onConnect: (client) => bounds.setOnConnection(client),
  });
  const promptWithinMs = options.promptWithinMs ?? 1_500;
  const availability = new Availability({
    probe: () => probeServer(url, promptWithinMs),
    answerWithinMs: promptWithinMs,
  });
  const prompt = createPromptPool(url, promptWithinMs);
  const commits = openCommitConnections(url);
  return {
    kind: 'postgres',
    db: databaseOf(options, { pool, bounds }, (statement) => availability.runLong(statement)),
    prompt: databaseOf(options, prompt, (statement) => availability.run(statement)),
    commit: commits.commit,
    session: () => openServerSession(url),
    notify: async (channel) => void (await pool.query("select pg_notify($1, '')", [channel])),
    close: async () => {
      availability.close();
      await Promise.all([pool.end(), prompt.pool.end(), commits.close()]);
    },
  };
}

type Run = <R>(statement: Statement<R>) => Promise<R>;

interface BoundedPool {
  pool: pg.Pool;
  bounds: ServerBounds;
}

/** @param run runs each statement, and each transaction as a whole */
function databaseOf<T extends Tables>(
  { tables }: DatabaseOptions<T>,
  { pool, bounds }: BoundedPool,
  run: Run,
): Db<T> {
  const client = {
    query: (query: pg.QueryConfig, values: unknown[]) =>
      run((abandoned) =>
        ofItsOwn(pool, abandoned, (client) => bounds.run(client, () => client.query(query, values))),
      ),
  } as unknown as pg.Pool;
  const db = drizzle({ client, schema: tables }) as unknown as Db<T>;
  db.transaction = (work, settings) =>
    run((abandoned) =>
      ofItsOwn(pool, abandoned, (client) =>
        (drizzle(client, { schema: tables }) as unknown as Db<T>).transaction(async (tx) => {
          await bounds.setInTransaction(client);
          return work(tx);
        }, settings),
      ),
    );
  return db;
}

/** Few connections of their own: they are free where slower statements have all others. */
function createPromptPool(url: string, answerWithinMs: number): BoundedPool {
  const bounds = new ServerBounds(answerWithinMs);
  const pool = createPool(url, {
    max: 4,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    onConnect: (client) => bounds.setOnConnection(client),
  });
  return { pool, bounds };
}

/**
 * Runs a statement or transaction on a connection of its own. Drizzle's keeps the connection for ever where `begin` fails, and gives one
 * that fell silent back as if it were sound. After any failure the connection is closed: only a commit proves it. So it is once the
 * work is abandoned: what is left of a transaction fails, whenever the server answers again.
 */
async function ofItsOwn<R>(
  pool: pg.Pool,
  abandoned: AbortSignal,
  work: (client: pg.PoolClient) => Promise<R>,
): Promise<R> {
  const client = await pool.connect();
  let isHeld = true;
  const release = (failed: boolean) => {
    if (isHeld) client.release(failed);
    isHeld = false;
  };
  const close = () => release(true);
  abandoned.addEventListener('abort', close);
  let failed = true;
  try {
    abandoned.throwIfAborted();
    const result = await work(client);
    failed = false;
    return result;
  } finally {
    abandoned.removeEventListener('abort', close);
    release(failed);
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

async function bringUpToDate(pool: pg.Pool, client: pg.PoolClient, migrationsFolder: string): Promise<void> {
  const lock = await pool.connect();
  try {
    await lock.query('begin');
    await lock.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    lock.release(true);
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
