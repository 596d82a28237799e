import type pg from 'pg';

/** Time limits on the server, in milliseconds: shorter than the client's, so that a statement ends before its client abandons it. */
interface Bounds {
  statementMs: number;
  lockMs: number;
}

function boundsOf(answerWithinMs: number): Bounds {
  return { statementMs: Math.ceil(0.95 * answerWithinMs), lockMs: Math.ceil(0.9 * answerWithinMs) };
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
    const { statementMs, lockMs } = this.bounds;
    return `select set_config('statement_timeout', '${statementMs}', ${isLocal}), set_config('lock_timeout', '${lockMs}', ${isLocal})`;
  }
}
