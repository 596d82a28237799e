import { type PGlite, parse, protocol, type QueryOptions } from '@electric-sql/pglite';
import { Mutex } from 'async-mutex';
import type { EmbeddedClient, Queried, Statement } from './client.js';

const { serialize } = protocol;

/** The most prepared statements. Handover has fewer texts, unless lists of values make several of one. */
const mostPrepared = 100;
/** How long a plan is used: it may have been made while the table was small. */
const plannedForMs = 10_000;

const internals = ['_checkReady', '_runExclusiveQuery', '_runExclusiveTransaction'] as const;

type Exclusively = <R>(work: () => Promise<R>) => Promise<R>;
interface Prepared {
  name: string;
  /** Types of its parameters. */
  types: number[];
  at: number;
}

/**
 * A client with prepared statements: each is parsed once in ten seconds, and each run is one message to the database. Without
 * this, PGlite sends six messages and parses each time, which is more than half of the CPU of a small statement. Urgent
 * statements and transactions go first, the others in their order: one after each urgent one, so that slow commits do not keep
 * leases and verdicts waiting for as long as callbacks arrive. The parsers given when the client was opened apply; those
 * that Drizzle passes with each query are ignored. It relies on methods that PGlite's own classes use and that are not
 * documented (`internals`), so another version may lack them.
 * @param rest between two turns; absent: none
 * @throws Error where they are gone
 */
export function withPreparedStatements(
  client: PGlite,
  rest?: () => Promise<unknown>,
): Omit<EmbeddedClient, 'ended'> {
  const missing = internals.filter((name) => typeof client[name] !== 'function');
  if (missing.length > 0)
    throw new Error(`this version of PGlite has no ${missing.join(', ')}: statements cannot be prepared`);
  const statements = new Statements(client);
  const transaction = client.transaction.bind(client);
  const turns = new Mutex();
  const urgentTurns = new Mutex();
  const inTurn = async <R>(priority: number, work: () => Promise<R>): Promise<R> => {
    // one urgent turn waits at a time, so that one of the others is between two of them; the close waits for all of them
    const admitNext = priority === 0 ? undefined : await urgentTurns.acquire();
    const endTurn = await turns.acquire(priority);
    const release = () => {
      endTurn();
      admitNext?.();
    };
    try {
      return await work();
    } finally {
      if (rest === undefined) release();
      else void rest().then(release);
    }
  };
  const queried = (priority: number): Queried => {
    const inTransaction: Queried['transaction'] = (work) =>
      inTurn(priority, () =>
        transaction((tx) => {
          tx.query = statements.query(async (query) => {
            if (tx.closed) throw new Error('The transaction has ended.');
            return query();
          });
          return work(tx);
        }),
      );
    return {
      query: statements.query((work) => inTurn(priority, () => client._runExclusiveTransaction(work))),
      transaction: inTransaction,
      together: <Row>(all: readonly Statement[]) =>
        inTransaction(async ({ query }) => {
          let rows: Row[] = [];
          for (const { text, params } of all) ({ rows } = await query<Row>(text, [...params]));
          return rows;
        }),
    };
  };
  return {
    ...queried(0),
    urgently: queried(1),
    close: () => inTurn(-1, () => client.close()),
  };
}

class Statements {
  /** By text, the oldest first. */
  private readonly prepared = new Map<string, Prepared>();
  /** Names to be freed when the next statement is prepared. */
  private ended: string[] = [];
  private made = 0;

  constructor(private readonly client: PGlite) {}

  /** @param alone keeps the statements of others out of a transaction */
  query(alone: Exclusively): PGlite['query'] {
    const { client } = this;
    return (async (text: string, params: unknown[] = [], { rowMode }: QueryOptions = {}) => {
      return alone(async () => {
        await client._checkReady();
        return client._runExclusiveQuery(() => this.run(text, params, rowMode && { rowMode }));
      });
    }) as PGlite['query'];
  }

  private async run(text: string, params: readonly unknown[], options: QueryOptions | undefined) {
    const { serializers, parsers } = this.client;
    const { name, types } = await this.prepare(text);
    const values = params.map((value, index) => {
      if (value === null || value === undefined) return null;
      return serializers[types[index] ?? 0]?.(value) ?? String(value);
    });
    const answers = await this.exchange([
      serialize.bind({ statement: name, values }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
    ]).catch((error: unknown) => {
      // its table may have changed
      this.end(text);
      throw error;
    });
    if (!this.client.isInTransaction()) await this.client.syncToFs();
    return parse.parseResults(answers, parsers, options)[0];
  }

  private async prepare(text: string): Promise<Prepared> {
    const known = this.prepared.get(text);
    const at = performance.now();
    if (known !== undefined && at - known.at < plannedForMs) return known;
    this.end(text);
    if (this.prepared.size >= mostPrepared) this.end(this.prepared.keys().next().value ?? '');
    this.made += 1;
    const name = `s${this.made}`;
    const answers = await this.exchange([
      ...this.ended.splice(0).map((ended) => serialize.close({ type: 'S', name: ended })),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    ]);
    const prepared = { name, types: parse.parseDescribeStatementResults(answers), at };
    this.prepared.set(text, prepared);
    return prepared;
  }

  private end(text: string): void {
    const known = this.prepared.get(text);
    if (known !== undefined) this.ended.push(known.name);
    this.prepared.delete(text);
  }

  /** @throws PGlite's DatabaseError; what follows the message that fails is not run */
  private exchange(messages: readonly Uint8Array[]) {
    return this.client.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), {
      syncToFs: false,
    });
  }
}
