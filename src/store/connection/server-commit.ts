import { Socket } from 'node:net';
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { type Commit, CommitAbandonedError, type CommitConnections } from './commit.js';
import { type Statement, sendTogether } from './pipeline.js';
import { within } from './within.js';

/** Class of these advisory locks ("inbo" in ASCII). Migrations and timelines use locks with one number instead of two. */
const orderLocks = 0x696e626f;
/** Number of locks that order all keys: the server has room for more. */
const stripes = 256;
/** A commit without an answer is abandoned after this. */
const answerMs = 2_000;
/** Shorter than `answerMs`: a statement that waits for a lock ends before its client abandons it. */
const lockWaitMs = 1_200;
const statementMs = 1_800;
/** A connection that was idle for longer may have been cut off unnoticed: a new one costs milliseconds. */
const idleMs = 10_000;

interface Connection {
  client: pg.Client;
  socket: Socket;
  idleSince: number;
}

/**
 * Separate connections for short commits, so that no other statements block them. Each commit is one
 * write: the server begins, executes and commits it without waiting for the client.
 */
export function openCommitConnections(url: string): CommitConnections {
  const idle: Connection[] = [];
  const open = new Set<Connection>();

  const end = (connection: Connection) => {
    open.delete(connection);
    connection.socket.destroy();
  };
  const connect = async (): Promise<Connection> => {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
      stream: () => socket,
    });
    const connection = { client, socket, idleSince: 0 };
    client.on('error', () => end(connection)); // it broke while it was idle
    open.add(connection);
    try {
      await client.connect();
    } catch (error) {
      end(connection);
      throw error;
    }
    return connection;
  };
  const usable = (): Connection | undefined => {
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      if (open.has(found) && Date.now() - found.idleSince < idleMs) return found;
      end(found);
    }
    return undefined;
  };

  return {
    async commit<Row>(commit: Commit): Promise<Row[]> {
      const connection = usable() ?? (await connect());
      try {
        const rows = await sendTogether<Row>(connection.client, statementsOf(commit));
        connection.idleSince = Date.now();
        idle.push(connection);
        return rows;
      } catch (cause) {
        if (cause instanceof pg.DatabaseError && cause.severity !== 'FATAL') {
          idle.push(connection);
          throw cause;
        }
        // the idle connections may be silent for the same reason
        for (const one of [connection, ...idle.splice(0)]) end(one);
        throw new CommitAbandonedError('the database gave no answer in time, or the connection broke', {
          cause,
        });
      }
    },
    async close() {
      const ending = [...open].map(({ client }) => client.end().catch(() => {}));
      await within(answerMs, Promise.all(ending)).catch(() => {});
      for (const connection of open) end(connection);
    },
  };
}

/** The settings apply to this transaction only. */
function statementsOf({ statements, inOrderOf }: Commit): Statement[] {
  const bounds = sql`select set_config('lock_timeout', ${`${lockWaitMs}`}, true),
    set_config('statement_timeout', ${`${statementMs}`}, true)`;
  const order = inOrderOf.length === 0 ? [] : [locks(inOrderOf)];
  return [bounds, ...order, ...statements].map(withParameters);
}

/** A separate statement, before ids are drawn. Locks are acquired in one order, so that no two commits wait for each other. */
function locks(keys: readonly number[]): SQL {
  const wanted = [...new Set(keys.map((key) => Math.abs(key) % stripes))].sort((a, b) => a - b);
  return sql`select pg_advisory_xact_lock(${orderLocks}::integer, stripe)
    from unnest(${`{${wanted}}`}::integer[]) as stripe`;
}

const dialect = new PgDialect();

/** The server logs the text of a statement that fails: values are no part of it (L60). */
function withParameters(statement: SQL): Statement {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return {
    text,
    values: params.map((value) => (value === null || value === undefined ? null : String(value))),
  };
}
