import type pg from 'pg';

/** Longest times on the server, in milliseconds: shorter than the client's, so that a statement ends before its client leaves it. */
interface Bounds {
  statementMs: number;
  lockMs: number;
}

function boundsOf(answerWithinMs: number): Bounds {
  return { statementMs: Math.ceil(0.95 * answerWithinMs), lockMs: Math.ceil(0.9 * answerWithinMs) };
}

/**
 * Bounds statements on the server as well. A client that no longer waits leaves its statement behind: one that waits for a lock
 * would occupy a connection of the server for as long as the lock is held. A session's settings belong to the connection, but
 * behind a pooler to whichever client uses it next: there each transaction sets its own.
 */
export class ServerBounds {
  private readonly bounds: Bounds;
  private readonly bound = new WeakSet<pg.ClientBase>();

  constructor(answerWithinMs: number) {
    this.bounds = boundsOf(answerWithinMs);
  }

  /** Sets the bounds for the session of a new connection; behind a pooler it sets nothing. */
  async setOnConnection(client: pg.ClientBase): Promise<void> {
    // a pooler gives a number of its own for the server process
    const { processID } = client as unknown as { processID: number | null };
    const { rowCount } = await client.query(
      `${this.select(false)} where pg_backend_pid() = ${processID ?? 0}`,
    );
    if (rowCount === 1) this.bound.add(client);
  }

  /** Runs one statement within the bounds: behind a pooler in a transaction of its own. */
  async run<R>(client: pg.ClientBase, statement: () => Promise<R>): Promise<R> {
    if (this.bound.has(client)) return statement();
    await client.query(`begin; ${this.select(true)}`);
    const result = await statement();
    await client.query('commit');
    return result;
  }

  /** Bounds the statements of the transaction that this connection is in. */
  async setInTransaction(client: pg.ClientBase): Promise<void> {
    if (!this.bound.has(client)) await client.query(this.select(true));
  }

  private select(isLocal: boolean): string {
    const { statementMs, lockMs } = this.bounds;
    return `select set_config('statement_timeout', '${statementMs}', ${isLocal}), set_config('lock_timeout', '${lockMs}', ${isLocal})`;
  }
}
