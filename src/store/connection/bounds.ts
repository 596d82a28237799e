import type pg from 'pg';

/** Time limits on the server, in milliseconds: shorter than the client's, so that a statement ends before its client abandons it. */
interface Bounds {
  statementMs: number;
  lockMs: number;
  /** Between two statements of a transaction: a client that was frozen in between gives its locks back. */
  idleMs: number;
}

/** A busy process may pause between two statements for some seconds. */
const leastIdleMs = 10_000;

function boundsOf(answerWithinMs: number): Bounds {
  const statementMs = Math.ceil(0.95 * answerWithinMs);
  return {
    statementMs,
    lockMs: Math.ceil(0.9 * answerWithinMs),
    idleMs: Math.max(statementMs, leastIdleMs),
  };
}

/**
 * Sets time limits on the server too: a statement whose client no longer waits would occupy a connection of the server, for
 * example as long as a lock is held. Session settings belong to the connection. Behind a pooler the next client would
 * inherit them, so there each transaction sets its own.
 */
export class ServerBounds {
  private readonly bounds: Bounds;
  private readonly bound = new WeakSet<pg.ClientBase>();

  constructor(answerWithinMs: number) {
    this.bounds = boundsOf(answerWithinMs);
  }

  /** Sets the limits for the session of a new connection; does nothing behind a pooler. */
  async setOnConnection(client: pg.ClientBase): Promise<void> {
    // a pooler reports its own number as the server process
    const { processID } = client as unknown as { processID: number | null };
    const { rowCount } = await client.query(
      `${this.select(false)} where pg_backend_pid() = ${processID ?? 0}`,
    );
    if (rowCount === 1) this.bound.add(client);
  }

  /** Runs one statement within the limits; behind a pooler in its own transaction. */
  async run<R>(client: pg.ClientBase, statement: () => Promise<R>): Promise<R> {
    if (this.bound.has(client)) return statement();
    await client.query(`begin; ${this.select(true)}`);
    const result = await statement();
    await client.query('commit');
    return result;
  }

  /** Sets the limits for the present transaction of this connection. */
  async setInTransaction(client: pg.ClientBase): Promise<void> {
    if (!this.bound.has(client)) await client.query(this.select(true));
  }

  private select(isLocal: boolean): string {
    const { statementMs, lockMs, idleMs } = this.bounds;
    const limits = {
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleMs,
    };
    const settings = Object.entries(limits).map(([name, ms]) => `set_config('${name}', '${ms}', ${isLocal})`);
    return `select ${settings.join(', ')}`;
  }
}
