/**
 * One read at a time, shared by all who ask while the one before it is under way: none gets what was read before it asked, and
 * however many ask, one read runs and one waits.
 */
export class ReadsInTurn<T> {
  private running: Promise<unknown> = Promise.resolve();
  private waiting: Promise<T> | undefined;

  constructor(private readonly read: () => Promise<T>) {}

  next(): Promise<T> {
    this.waiting ??= this.running.then(() => {
      this.waiting = undefined;
      const read = this.read();
      this.running = read.catch(() => undefined);
      return read;
    });
    return this.waiting;
  }
}
