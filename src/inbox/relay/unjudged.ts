/** How long a signal without a verdict counts: one whose workflow is stuck holds up no other for longer. */
const countedForMs = 10_000;

export interface UnjudgedOptions {
  /** Signals without a verdict at once. */
  most: number;
  /** @returns those of these rows whose verdict is still awaited */
  stillSent: (inboxIds: number[]) => Promise<number[]>;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/**
 * The signals of a process that have no verdict yet. In a long backlog the workers apply less than the relays can send: what
 * is ahead of them waits in Temporal before the next task of its reservation, so that a staff action would not be answered
 * in time. In the inbox it holds up nothing, and shares signals.
 */
export class Unjudged {
  /** The last row of each signal, and when it was sent. */
  private readonly sent = new Map<number, number>();

  constructor(private readonly options: UnjudgedOptions) {}

  record(lastInboxId: number): void {
    this.forgetOld();
    this.sent.set(lastInboxId, this.now());
  }

  /** How many more may be sent. @throws the error of the database */
  async room(): Promise<number> {
    this.forgetOld();
    const { most, stillSent } = this.options;
    if (this.sent.size < most) return most - this.sent.size;
    const waits = new Set(await stillSent([...this.sent.keys()]));
    for (const id of this.sent.keys()) if (!waits.has(id)) this.sent.delete(id);
    return Math.max(most - this.sent.size, 0);
  }

  /** They are in the order in which they were sent. */
  private forgetOld(): void {
    const now = this.now();
    for (const [id, at] of this.sent) {
      if (now - at < countedForMs) return;
      this.sent.delete(id);
    }
  }

  private now(): number {
    return (this.options.now ?? performance.now.bind(performance))();
  }
}
