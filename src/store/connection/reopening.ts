import { statfs } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import { backoffMs } from '../../domain/shared/backoff.js';
import type { EmbeddedClient, Queried } from './embedded-statements.js';
import { DatabaseError } from './errors.js';

/** Room for two segments of the write-ahead log and for a recovery. */
const needsBytes = 40 * 1024 * 1024;
/** The wait grows because each failed opening leaves open files behind; a full disk delays by the first wait only. */
const waits = { firstMs: 1_000, longestMs: 60_000 };

/** True where the filesystem of `folder` has too little room for an embedded database to open. */
export async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < needsBytes;
}

/**
 * An embedded database that reopens by itself. A full disk can end it with a PANIC (its write-ahead log has no room), like a
 * server's process; a further statement would then block this process for ever. So from then on statements fail, until
 * there is room again and the database has recovered from its log, with everything that was committed.
 */
export class Reopening implements Pick<PGlite, 'query' | 'exec' | 'transaction'> {
  private client: EmbeddedClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private opening: Promise<void> | undefined;

  constructor(
    private readonly folder: string,
    private readonly open: () => Promise<EmbeddedClient>,
    private readonly measure: <R>(work: () => Promise<R>) => Promise<R>,
  ) {}

  /** @throws what `open` throws */
  async start(): Promise<void> {
    const client = await this.open();
    this.watch(client);
    this.client = client;
  }

  private readonly queried = (of: (client: EmbeddedClient) => Queried): Queried => ({
    query: ((...given: Parameters<PGlite['query']>) =>
      this.run((client) => of(client).query(...given))) as PGlite['query'],
    transaction: ((work: Parameters<PGlite['transaction']>[0]) =>
      this.run((client) => of(client).transaction(work))) as PGlite['transaction'],
  });
  private readonly inTurn = this.queried((client) => client);
  readonly query = this.inTurn.query;
  readonly transaction = this.inTurn.transaction;
  /** Before what waits already. */
  readonly urgently = this.queried((client) => client.urgently);
  readonly exec = ((...given: Parameters<PGlite['exec']>) =>
    this.run((client) => client.exec(...given))) as PGlite['exec'];

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.opening;
    await this.client?.close();
  }

  private async run<R>(work: (client: EmbeddedClient) => Promise<R>): Promise<R> {
    return this.measure(async () => {
      if (this.client === undefined) throw notOpenError();
      return work(this.client);
    });
  }

  /** Checks for the PANIC where each statement begins and ends: statements that wait inside the client must not begin after it. */
  private watch(client: PGlite): void {
    let isOver = false;
    const raw = client.execProtocolRawSync.bind(client);
    client.execProtocolRawSync = (message) => {
      if (isOver) throw notOpenError();
      return raw(message);
    };
    const seen = (error: { severity?: string }) => {
      if (!isOver && (error.severity === 'PANIC' || error.severity === 'FATAL')) {
        isOver = true;
        this.client = undefined;
        this.reopenLater();
      }
      throw error;
    };
    const [run, stream] = [client.execProtocol.bind(client), client.execProtocolStream.bind(client)];
    client.execProtocol = (...given) => run(...given).catch(seen);
    client.execProtocolStream = (...given) => stream(...given).catch(seen);
  }

  /** @param failures failed openings in a row */
  private reopenLater(failures = 0): void {
    if (this.closed) return;
    this.timer = setTimeout(
      () => {
        this.opening = this.reopen(failures);
      },
      backoffMs(failures + 1, waits),
    );
    this.timer.unref();
  }

  private async reopen(failures: number): Promise<void> {
    if (await isFull(this.folder).catch(() => true)) return this.reopenLater();
    await this.start().catch(() => this.reopenLater(failures + 1));
  }
}

function notOpenError(): DatabaseError {
  return new DatabaseError(
    'DATABASE_SILENT',
    'the embedded database ended, and opens again when its disk has room',
  );
}
