import { statfs } from 'node:fs/promises';
import { backoffMs } from '../../../domain/shared/backoff.js';
import type { EmbeddedClient, Queried } from './client.js';
import { notOpenError } from './not-open.js';

/** Room for two segments of the write-ahead log and for a recovery. */
const needsBytes = 40 * 1024 * 1024;
/** The wait grows because each failed opening leaves open files behind; a full disk delays by the first wait only. */
const waits = { firstMs: 1_000, longestMs: 60_000 };

/** True where the filesystem of `folder` has too little room for an embedded database to open. */
export async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < needsBytes;
}

type Giving<Client> = (client: Client) => void;

/**
 * An embedded database that reopens by itself. A full disk or a lack of memory can end it like a server's process. Until there is
 * room again and it has recovered from its log, with everything that was committed, statements fail.
 */
export class Reopening<Client extends EmbeddedClient = EmbeddedClient> implements Queried {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private opening: Promise<void> | undefined;
  private readonly giving = new Set<Giving<Client>>();

  constructor(
    private readonly folder: string,
    private readonly open: () => Promise<Client>,
    private readonly options: { measure<R>(work: () => Promise<R>): Promise<R>; onEnd(): void },
  ) {}

  /** @throws what `open` throws */
  async start(): Promise<void> {
    const client = await this.open();
    void client.ended.then(() => {
      if (this.client !== client) return;
      this.client = undefined;
      if (this.closed) return;
      this.options.onEnd();
      this.reopenLater();
    });
    this.client = client;
    for (const give of this.giving) give(client);
  }

  /** @param give called now and each time it has opened again. @returns ends that */
  onOpen(give: Giving<Client>): () => void {
    this.giving.add(give);
    if (this.client !== undefined) give(this.client);
    return () => this.giving.delete(give);
  }

  private readonly queried = (of: (client: Client) => Queried): Queried => ({
    query: ((...given: Parameters<Queried['query']>) =>
      this.run((client) => of(client).query(...given))) as Queried['query'],
    transaction: (work) => this.run((client) => of(client).transaction(work)),
  });
  private readonly inTurn = this.queried((client) => client);
  readonly query = this.inTurn.query;
  readonly transaction = this.inTurn.transaction;
  /** Before what waits already. */
  readonly urgently = this.queried((client) => client.urgently);

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.opening;
    await this.client?.close();
  }

  private async run<R>(work: (client: Client) => Promise<R>): Promise<R> {
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
    if (await isFull(this.folder).catch(() => true)) return this.reopenLater();
    await this.start().catch(() => this.reopenLater(failures + 1));
  }
}
