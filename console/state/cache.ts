/** Values by key. What is in use stays; of the rest, those used last, so that going back shows them at once. */
export class Cache<Value> {
  private readonly entries = new Map<string, { value: Value; users: number }>();
  private isTrimming = false;

  /** @param mayDelete what an unused value must fulfil to be deleted */
  constructor(
    private readonly mostUnused: number,
    private readonly mayDelete: (value: Value) => boolean = () => true,
  ) {}

  get(key: string, create: () => Value): Value {
    const known = this.entries.get(key);
    if (known !== undefined) return known.value;
    const value = create();
    this.entries.set(key, { value, users: 0 });
    this.trimSoon();
    return value;
  }

  /** Counts a user of this key. @returns ends the use */
  use(key: string): () => void {
    const entry = this.entries.get(key);
    if (entry === undefined) return () => {};
    entry.users += 1;
    return () => {
      entry.users -= 1;
      // the newest of the unused
      this.entries.delete(key);
      this.entries.set(key, entry);
      this.trimSoon();
    };
  }

  /** Not at once: components that were just rendered count themselves at the end of their rendering. */
  private trimSoon(): void {
    if (this.isTrimming) return;
    this.isTrimming = true;
    queueMicrotask(() => {
      this.isTrimming = false;
      const unused = [...this.entries].filter(([, { users, value }]) => users === 0 && this.mayDelete(value));
      const surplus = Math.max(unused.length - this.mostUnused, 0);
      for (const [key] of unused.slice(0, surplus)) this.entries.delete(key);
    });
  }
}
