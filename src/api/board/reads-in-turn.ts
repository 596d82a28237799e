import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** After a read that several shared the next one waits: however many ask, there are at most four a second. */
const restMs = 250;

/**
 * One read at a time, shared by all requests that arrive while the one before it is under way: no request gets what was read
 * before it arrived, and however many there are, one read runs and one waits. They get it one after another, each in a turn of the event
 * loop: fifty answers of 100 KB at once would delay a callback by all of them.
 */
export class ReadsInTurn<T> {
  private running: Promise<unknown> = Promise.resolve();
  private waiting: Promise<T> | undefined;
  private answering: Promise<unknown> = Promise.resolve();
  private sharers = 0;

  constructor(private readonly read: () => Promise<T>) {}

  async next(): Promise<T> {
    const found = await this.shared();
    this.answering = this.answering.then(() => nextTurn());
    await this.answering;
    return found;
  }

  private shared(): Promise<T> {
    this.sharers += 1;
    this.waiting ??= this.running.then(() => {
      this.waiting = undefined;
      const isShared = this.sharers > 1;
      this.sharers = 0;
      const read = this.read();
      const rest = () => sleep(isShared ? restMs : 0, undefined, { ref: false });
      this.running = read.then(rest, rest);
      return read;
    });
    return this.waiting;
  }
}
