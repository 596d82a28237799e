/** Answers equal questions that come within `windowMs` with one read. A failed read is not kept. */
export class SharedReads<T> {
  private readonly reads = new Map<string, { at: number; answer: Promise<T> }>();

  constructor(
    private readonly windowMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** @param key equal for equal questions */
  get(key: string, read: () => Promise<T>): Promise<T> {
    this.forgetOld();
    const kept = this.reads.get(key);
    if (kept !== undefined) return kept.answer;
    const answer = read();
    this.reads.set(key, { at: this.now(), answer });
    answer.catch(() => {
      if (this.reads.get(key)?.answer === answer) this.reads.delete(key);
    });
    return answer;
  }

  private forgetOld(): void {
    const oldest = this.now() - this.windowMs;
    for (const [key, { at }] of this.reads) if (at <= oldest) this.reads.delete(key);
  }
}
