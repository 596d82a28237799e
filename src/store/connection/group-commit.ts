import { type Deferred, deferred } from '../../domain/shared/deferred.js';

/** The queue is full: the caller asks its sender to retry later. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

export interface GroupCommitOptions<Item> {
  /** Writes all items or none, in their order. */
  write(items: Item[]): Promise<void>;
  /** Whether a failed write is the fault of one of its items: then each is tried alone. */
  isItemsFault(error: unknown): boolean;
  /** The most items of one write. */
  maxItems: number;
  /** The most bytes of one write, by `bounds.bytesOf`; a larger item is written alone. Absent: no limit. */
  maxBytes?: number;
  /** Whether a failed write may have been too much at once: the next ones are halved until one succeeds. */
  isTooMuch?(error: unknown): boolean;
  /** How much may wait; absent: no limit. */
  bounds?: { items: number; bytes: number; bytesOf(item: Item): number };
  /** Allows further writes beside a slow one; absent: one write at a time. */
  beside?: BesideSlowWrites<Item>;
}

/** A slow write, for example on a silent connection, does not block the items behind it. */
export interface BesideSlowWrites<Item> {
  /** The most writes at once. */
  most: number;
  /** Milliseconds after which the next write begins beside the newest one. */
  afterMs: number;
  /** Items with the same key are written in their order: one waits while an earlier one is being written. */
  keyOf(item: Item): unknown;
}

/** The smallest share of the limits after repeated halving. */
const smallestShare = 1 / 256;

interface Waiting<Item> {
  item: Item;
  done(): void;
  failed(error: unknown): void;
}

interface Write<Item> {
  group: Waiting<Item>[];
  slow: boolean;
}

/**
 * Items that arrive during a write share the next one: one transaction for all instead of one each. One write at a time,
 * in order of arrival; beside a slow write others may run (`beside`), in order for each key.
 */
export class GroupCommit<Item> {
  private waiting: Waiting<Item>[] = [];
  private waitingBytes = 0;
  private readonly writes = new Set<Write<Item>>();
  /** Share of `maxItems` and `maxBytes` that the next write may use. */
  private share = 1;
  private starting: NodeJS.Immediate | null = null;
  private idle: Deferred | null = null;

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
      // items of the same turn of the event loop share a write
      this.starting ??= setImmediate(() => {
        this.starting = null;
        this.startWrites();
      });
    });
  }

  /** True: no item is accepted before others are written. */
  isFull(): boolean {
    const { items, bytes } = this.options.bounds ?? {};
    return this.waiting.length >= (items ?? Infinity) || this.waitingBytes >= (bytes ?? Infinity);
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    if (this.waiting.length === 0 && this.writes.size === 0) return;
    this.idle ??= deferred();
    await this.idle.promise;
  }

  private bytesOf(item: Item): number {
    return this.options.bounds?.bytesOf(item) ?? 0;
  }

  private startWrites(): void {
    const { most = 1 } = this.options.beside ?? {};
    const mayBegin = [...this.writes].every(({ slow }) => slow) && this.writes.size < most;
    const group = mayBegin ? this.nextGroup() : [];
    if (group.length > 0) void this.write({ group, slow: false });
    else if (this.waiting.length === 0 && this.writes.size === 0) {
      this.idle?.resolve();
      this.idle = null;
    }
  }

  /** The oldest items whose key is not being written; those of one key stay in order. */
  private nextGroup(): Waiting<Item>[] {
    const { beside } = this.options;
    const hasRoom = this.roomOfOneWrite();
    if (beside === undefined || this.writes.size === 0) {
      const end = this.waiting.findIndex(({ item }) => !hasRoom(item));
      return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
    }
    const busy = new Set(
      [...this.writes].flatMap(({ group }) => group.map(({ item }) => beside.keyOf(item))),
    );
    const group: Waiting<Item>[] = [];
    this.waiting = this.waiting.filter((one) => {
      if (busy.has(beside.keyOf(one.item)) || !hasRoom(one.item)) return true;
      group.push(one);
      return false;
    });
    return group;
  }

  /** @returns a predicate: whether an item fits with those before it; after the first that does not, none fits */
  private roomOfOneWrite(): (item: Item) => boolean {
    const { maxItems, maxBytes = Infinity } = this.options;
    const most = { items: Math.max(1, maxItems * this.share), bytes: maxBytes * this.share };
    let [items, bytes, isFull] = [0, 0, false];
    return (item) => {
      items += 1;
      bytes += this.bytesOf(item);
      isFull ||= items > 1 && (items > most.items || bytes > most.bytes);
      return !isFull;
    };
  }

  private async write(write: Write<Item>): Promise<void> {
    const { beside } = this.options;
    this.writes.add(write);
    const slow =
      beside &&
      setTimeout(() => {
        write.slow = true;
        this.startWrites();
      }, beside.afterMs);
    await this.commit(write.group);
    clearTimeout(slow);
    this.writes.delete(write);
    for (const { item } of write.group) this.waitingBytes -= this.bytesOf(item);
    this.startWrites();
  }

  private async commit(group: Waiting<Item>[]): Promise<void> {
    try {
      await this.options.write(group.map(({ item }) => item));
      this.share = Math.min(1, 2 * this.share);
      for (const { done } of group) done();
    } catch (error) {
      if (this.options.isTooMuch?.(error)) this.share = Math.max(smallestShare, this.share / 2);
      if (group.length > 1 && this.options.isItemsFault(error)) {
        for (const one of group) await this.commit([one]);
      } else {
        for (const { failed } of group) failed(error);
      }
    }
  }
}
