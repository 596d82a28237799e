import { Socket } from 'node:net';
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { type Commit, CommitAbandonedError, type CommitTogether } from './commit.js';
import { type Statement, sendTogether } from './pipeline.js';
import { within } from './within.js';

/** Its class among the advisory locks of two numbers ("inbo" in ASCII). Migrations and timelines use locks of one number. */
const orderLocks = 0x696e626f;
/** So many locks order all keys: fewer than the server has room for, whatever comes at once. */
const stripes = 256;
/** After so long without an answer a commit is abandoned. */
const answerMs = 2_000;
/** Shorter than that: a statement that waits for another ends by itself before its client abandons it. */
const lockWaitMs = 1_200;
const statementMs = 1_800;
/** One that was idle for longer may have been cut off without a word: opening another costs milliseconds. */
const idleMs = 10_000;

export interface CommitConnections {
  commit: CommitTogether;
  close(): Promise<void>;
}

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
    client.on('error', () => end(connection)); // one that breaks while it is idle
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
        // what silenced this one may have silenced the idle ones too
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

/** The settings hold for this transaction alone. */
function statementsOf({ statements, inOrderOf }: Commit): Statement[] {
  const bounds = sql`select set_config('lock_timeout', ${`${lockWaitMs}`}, true),
    set_config('statement_timeout', ${`${statementMs}`}, true)`;
  const order = inOrderOf.length === 0 ? [] : [locks(inOrderOf)];
  return [bounds, ...order, ...statements].map(withParameters);
}

/** In a statement of its own, before ids are drawn; in one order, so that no two commits wait for each other. */
function locks(keys: readonly number[]): SQL {
  const wanted = [...new Set(keys.map((key) => Math.abs(key) % stripes))].sort((a, b) => a - b);
  return sql`select pg_advisory_xact_lock(${orderLocks}::integer, stripe)
    from unnest(${`{${wanted}}`}::integer[]) as stripe`;
}

const dialect = new PgDialect();

/** The server logs the text of a statement that fails: values are not part of it (L60). */
function withParameters(statement: SQL): Statement {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return {
    text,
    values: params.map((value) => (value === null || value === undefined ? null : String(value))),
  };
}
