import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** After a read the next one waits, the longer the more shared it: each of them asks again after the next change. Two a second at most where many ask. */
const restPerSharerMs = 30;
const longestRestMs = 500;

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
      const restMs = Math.min(this.sharers * restPerSharerMs, longestRestMs);
      this.sharers = 0;
      const read = this.read();
      const rest = () => sleep(restMs, undefined, { ref: false });
      this.running = read.then(rest, rest);
      return read;
    });
    return this.waiting;
  }
}
