/** Equal reads within `sharedForMs` share one result. A failed read is not shared. */
export class SharedReads<T> {
  private readonly reads = new Map<string, { at: number; answer: Promise<T> }>();

  constructor(
    private readonly sharedForMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** @param key equal for equal reads */
  get(key: string, read: () => Promise<T>): Promise<T> {
    this.forgetOld();
    const shared = this.reads.get(key);
    if (shared !== undefined) return shared.answer;
    const answer = read();
    this.reads.set(key, { at: this.now(), answer });
    answer.catch(() => {
      if (this.reads.get(key)?.answer === answer) this.reads.delete(key);
    });
    return answer;
  }

  private forgetOld(): void {
    const oldest = this.now() - this.sharedForMs;
    for (const [key, { at }] of this.reads) if (at <= oldest) this.reads.delete(key);
  }
}
