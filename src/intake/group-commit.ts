/** The queue is full: the caller should say so and let the sender come back. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

export interface GroupCommitOptions<Item> {
  /** Writes all items or none, in their order. */
  write(items: Item[]): Promise<void>;
  /** Whether a failed write is the fault of one of its items: then each is tried alone. */
  isItemsFault(error: unknown): boolean;
  maxItems: number;
  /** How much may wait; absent: any amount. */
  bounds?: { items: number; bytes: number; bytesOf(item: Item): number };
}

interface Waiting<Item> {
  item: Item;
  done(): void;
  failed(error: unknown): void;
}

/**
 * Items that come while a write is under way share the next one: one transaction for all instead of one each.
 * Order is kept; one write at a time.
 */
export class GroupCommit<Item> {
  private waiting: Waiting<Item>[] = [];
  private waitingBytes = 0;
  private running: Promise<void> | null = null;

  constructor(private readonly options: GroupCommitOptions<Item>) {}

  /**
   * Resolves when the item is committed.
   * @throws OverloadedError at once when too many wait; else what the write threw.
   */
  add(item: Item): Promise<void> {
    if (this.isFull()) return Promise.reject(new OverloadedError('too much waits to be written'));
    return new Promise((done, failed) => {
      this.waiting.push({ item, done, failed });
      this.waitingBytes += this.bytesOf(item);
      this.running ??= this.run();
    });
  }

  /** Nothing more is taken before something is written. */
  isFull(): boolean {
    const { items, bytes } = this.options.bounds ?? {};
    return this.waiting.length >= (items ?? Infinity) || this.waitingBytes >= (bytes ?? Infinity);
  }

  private bytesOf(item: Item): number {
    return this.options.bounds?.bytesOf(item) ?? 0;
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    // requests that the same turn of the event loop reads go together
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, this.options.maxItems);
      await this.commit(group);
      for (const { item } of group) this.waitingBytes -= this.bytesOf(item);
    }
    this.running = null;
  }

  private async commit(group: Waiting<Item>[]): Promise<void> {
    try {
      await this.options.write(group.map(({ item }) => item));
      for (const { done } of group) done();
    } catch (error) {
      if (group.length > 1 && this.options.isItemsFault(error)) {
        for (const one of group) await this.commit([one]);
      } else {
        for (const { failed } of group) failed(error);
      }
    }
  }
}
