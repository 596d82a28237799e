import { statfs } from 'node:fs/promises';
import { backoffMs } from '../../../domain/shared/backoff.js';
import type { DatabaseLog } from '../database.js';
import { databaseErrorCode, notOpenError } from '../errors.js';
import type { EmbeddedClient, Queried } from './client.js';

/** Room for two segments of the write-ahead log and for a recovery. */
const needsBytes = 40 * 1024 * 1024;
/** The wait grows because each failed opening leaves open files behind; a full disk delays by the first wait only. */
const waits = { firstMs: 1_000, longestMs: 60_000 };

/** True where the filesystem of `folder` has too little room for an embedded database to open. */
export async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < needsBytes;
}

type OnOpen = (client: EmbeddedClient) => void;

/**
 * An embedded database that reopens by itself. A full disk or a lack of memory can end it like a server's process. Until there is
 * room again and it has recovered from its log, with everything that was committed, statements fail.
 */
export class Reopening implements Queried {
  private client: EmbeddedClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private opening: Promise<void> | undefined;
  private readonly listeners = new Set<OnOpen>();

  constructor(
    private readonly folder: string,
    private readonly open: () => Promise<EmbeddedClient>,
    private readonly options: {
      measure<R>(work: () => Promise<R>): Promise<R>;
      log: DatabaseLog | undefined;
    },
  ) {}

  /** @throws what `open` throws */
  async start(): Promise<void> {
    const client = await this.open();
    void client.ended.then(() => {
      if (this.client !== client) return;
      this.client = undefined;
      if (this.closed) return;
      this.options.log?.error({}, 'the embedded database ended: it is opened again');
      this.reopenLater();
    });
    this.client = client;
    for (const listener of this.listeners) this.notify(listener, client);
  }

  /** A listener that fails does not undo the opening: another database would open the same folder. */
  private notify(listener: OnOpen, client: EmbeddedClient): void {
    try {
      listener(client);
    } catch (error) {
      this.options.log?.error(
        { code: databaseErrorCode(error) },
        'the embedded database is open, but a part of the process failed to use it',
      );
    }
  }

  /** @param listener called now, where it is open, and each time it has opened. @returns ends that */
  onOpen(listener: OnOpen): () => void {
    this.listeners.add(listener);
    if (this.client !== undefined) listener(this.client);
    return () => this.listeners.delete(listener);
  }

  private readonly queried = (of: (client: EmbeddedClient) => Queried): Queried => ({
    query: ((...given: Parameters<Queried['query']>) =>
      this.run((client) => of(client).query(...given))) as Queried['query'],
    transaction: (work) => this.run((client) => of(client).transaction(work)),
    together: (statements) => this.run((client) => of(client).together(statements)),
  });
  private readonly inTurn = this.queried((client) => client);
  readonly query = this.inTurn.query;
  readonly transaction = this.inTurn.transaction;
  readonly together = this.inTurn.together;
  /** Before what waits already. */
  readonly urgently = this.queried((client) => client.urgently);

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.opening;
    await this.client?.close();
  }

  private async run<R>(work: (client: EmbeddedClient) => Promise<R>): Promise<R> {
    return this.options.measure(async () => {
      if (this.client === undefined) throw notOpenError();
      return work(this.client);
    });
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
    const { log } = this.options;
    if (await isFull(this.folder).catch(() => true)) return this.reopenLater();
    try {
      await this.start();
      log?.error({}, 'the embedded database is open again');
    } catch (error) {
      log?.error(
        { code: databaseErrorCode(error) },
        'the embedded database does not open: it is tried again',
      );
      this.reopenLater(failures + 1);
    }
  }
}
