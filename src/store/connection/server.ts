import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { Availability, type Statement } from './availability.js';
import { ServerBounds } from './bounds.js';
import type { DatabaseOptions, Db, OpenDatabase, Tables } from './database.js';
import { DatabaseError, databaseErrorCode, isDatabaseAway, outdatedError } from './errors.js';
import { measureStatements } from './on-statement.js';
import { openCommitConnections } from './server-commit.js';
import { migrateServer } from './server-migrations.js';
import { probeServer } from './server-probe.js';
import { openServerSession } from './session.js';

/** A real Postgres server at `url`. */
export async function openServer<T extends Tables>(
  options: DatabaseOptions<T>,
  url: string,
): Promise<OpenDatabase<T>> {
  await bringUpToDate(url, options);
  // without it, a silent server (network failure, failover) would block a query for a quarter of an hour
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
  const long = measureStatements(options.onStatement, 'long');
  const short = measureStatements(options.onStatement, 'prompt');
  const commit = measureStatements(options.onStatement, 'commit');
  return {
    kind: 'postgres',
    db: databaseOf(options, { pool, bounds }, (statement) => long(() => availability.runLong(statement))),
    prompt: databaseOf(options, prompt, (statement) => short(() => availability.run(statement))),
    commit: (statements) => commit(() => commits.commit(statements)),
    session: (purpose, release) => openServerSession(url, purpose, release),
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
        runOnOwnConnection(pool, abandoned, (client) =>
          bounds.run(client, () => client.query(query, values)),
        ),
      ),
  } as unknown as pg.Pool;
  const db = drizzle({ client, schema: tables }) as unknown as Db<T>;
  db.transaction = (work, settings) =>
    run((abandoned) =>
      runOnOwnConnection(pool, abandoned, (client) =>
        (drizzle(client, { schema: tables }) as unknown as Db<T>).transaction(async (tx) => {
          await bounds.setInTransaction(client);
          return work(tx);
        }, settings),
      ),
    );
  return db;
}

/** A few separate connections, free while slower statements occupy all others. */
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
 * Runs a statement or transaction on its own connection of the pool. Drizzle never releases the connection where `begin`
 * fails, and releases a silent one as if it were sound. Here the connection is closed after any failure, and when the work
 * is abandoned: the rest of a transaction then fails, even if the server answers again.
 */
async function runOnOwnConnection<R>(
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
    throw new DatabaseError(
      'DATABASE_UNREACHABLE',
      `the database address ${maskSecrets(url)} cannot be read`,
      {
        cause,
      },
    );
  }
  pool.on('error', () => {}); // an idle connection broke: the next query opens a new one, or fails
  // where a connection breaks within a transaction, the next statement fails; without a listener the process would end
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Without a time limit for a statement: to build an index takes long, and blocks no other process. */
async function bringUpToDate<T extends Tables>(
  url: string,
  { migrations, migrationLimits }: DatabaseOptions<T>,
): Promise<void> {
  // both connections are silent until an index is built: a router between would forget them
  const pool = createPool(url, { max: 2, keepAliveInitialDelayMillis: 10_000 });
  try {
    const holder = await connect(pool, url);
    const client = await connect(pool, url);
    try {
      await migrateServer({ holder, client }, migrations, migrationLimits);
    } catch (cause) {
      if (cause instanceof DatabaseError) throw cause;
      throw isDatabaseAway(cause) ? unreachableError(url, cause) : outdatedError(maskSecrets(url), cause);
    } finally {
      // the lock ends with its connection
      holder.release(true);
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

async function connect(pool: pg.Pool, url: string): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (cause) {
    throw unreachableError(url, cause);
  }
}

function unreachableError(url: string, cause: unknown): DatabaseError {
  return new DatabaseError(
    'DATABASE_UNREACHABLE',
    `the database ${maskSecrets(url)} cannot be reached (${databaseErrorCode(cause)}); check its address, user and password, and that it runs`,
    { cause },
  );
}

/** The address without password and parameters, which may hold one too. */
function maskSecrets(url: string): string {
  try {
    const { protocol, username, password, host, pathname } = new URL(url);
    const user = username === '' ? '' : `${username}${password === '' ? '' : ':***'}@`;
    return `${protocol}//${user}${host}${pathname}`;
  } catch {
    return '(not a URL)';
  }
}
