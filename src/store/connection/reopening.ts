import { statfs } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import { backoffMs } from '../../domain/shared/backoff.js';
import { DatabaseError } from './errors.js';

/** Two segments of the write-ahead log, and what a recovery writes beside them. */
const needsBytes = 40 * 1024 * 1024;
/** An opening that fails leaves open files behind; a disk that is full delays by the first wait. */
const waits = { firstMs: 1_000, longestMs: 60_000 };

/** True where the filesystem of `folder` has too little room for an embedded database to open. */
export async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < needsBytes;
}

/**
 * An embedded database that opens again by itself. A full disk can end it with a PANIC (its write-ahead log finds no room), as it
 * would end a server's process; any further statement would then block this process for ever. So from that moment each one
 * fails, until there is room again and the database has recovered from its log. What was committed is there then.
 */
export class Reopening implements Pick<PGlite, 'query' | 'exec' | 'transaction'> {
  private client: PGlite | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private opening: Promise<void> | undefined;

  constructor(
    private readonly folder: string,
    private readonly open: () => Promise<PGlite>,
  ) {}

  /** @throws what `open` throws */
  async start(): Promise<void> {
    const client = await this.open();
    this.watch(client);
    this.client = client;
  }

  readonly query = ((...given: Parameters<PGlite['query']>) =>
    this.run((client) => client.query(...given))) as PGlite['query'];
  readonly exec = ((...given: Parameters<PGlite['exec']>) =>
    this.run((client) => client.exec(...given))) as PGlite['exec'];
  readonly transaction = ((work: Parameters<PGlite['transaction']>[0]) =>
    this.run((client) => client.transaction(work))) as PGlite['transaction'];

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.opening;
    await this.client?.close();
  }

  private async run<R>(work: (client: PGlite) => Promise<R>): Promise<R> {
    if (this.client === undefined) throw waiting();
    return work(this.client);
  }

  /** Statements that wait their turn inside the client must not begin after the PANIC, so it is seen where each begins and ends. */
  private watch(client: PGlite): void {
    let isOver = false;
    const raw = client.execProtocolRawSync.bind(client);
    client.execProtocolRawSync = (message) => {
      if (isOver) throw waiting();
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

  /** @param failures openings in a row that failed */
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

function waiting(): DatabaseError {
  return new DatabaseError(
    'DATABASE_SILENT',
    'the embedded database ended, and opens again when its disk has room',
  );
}
