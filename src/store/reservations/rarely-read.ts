/** After a read it is not repeated for so many times as long as it took. */
const restPerRead = 100;
const longestRestMs = 5_000;

/**
 * What is read often and may be a little old: a read is used for a hundred times as long as it took, and all that ask meanwhile share it. What is
 * read in a millisecond is 100 ms old at most, and nothing is older than 5 s.
 */
export class RarelyRead<T> {
  private last: Promise<T> | undefined;
  private freshUntil = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @throws what `read` throws; the next call reads again */
  get(read: () => Promise<T>): Promise<T> {
    if (this.last !== undefined && this.now() < this.freshUntil) return this.last;
    const began = this.now();
    const reading = read();
    this.last = reading;
    // until it has ended all share it
    this.freshUntil = Number.POSITIVE_INFINITY;
    void reading.then(
      () => {
        const endedAt = this.now();
        this.freshUntil = endedAt + Math.min(restPerRead * (endedAt - began), longestRestMs);
      },
      () => {
        this.last = undefined;
      },
    );
    return reading;
  }
}
