/** How long a signal without a verdict counts: one whose workflow is stuck holds up no other for longer. */
const countedForMs = 10_000;

export interface UnjudgedOptions {
  /** Signals without a verdict at once. */
  most: number;
  /** @returns those of these rows whose verdict is still awaited */
  stillSent: (inboxIds: number[]) => Promise<number[]>;
}

/**
 * The signals of a process that have no verdict yet. In a long backlog the workers apply less than the relays can send: what
 * is ahead of them waits in Temporal before the next task of its reservation, so that a staff action would not be answered
 * in time. In the inbox it holds up nothing, and shares signals.
 */
export class Unjudged {
  /** The last row of each signal, and when it was sent. */
  private readonly sent = new Map<number, number>();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly options: UnjudgedOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  record(lastInboxId: number): void {
    // one that is replayed soon takes its place among the last
    this.sent.delete(lastInboxId);
    this.sent.set(lastInboxId, this.now());
  }

  /** How many more may begin beside `underWay`. Verdicts are read only where none could. @throws the error of the database */
  async more(underWay: number): Promise<number> {
    this.forgetOld();
    const { most, stillSent } = this.options;
    const free = () => Math.max(most - this.sent.size - underWay, 0);
    if (free() > 0) return free();
    // not those that are recorded meanwhile
    const asked = [...this.sent.keys()];
    const waits = new Set(await stillSent(asked));
    for (const id of asked) if (!waits.has(id)) this.sent.delete(id);
    return free();
  }

  /** They are in the order in which they were sent. */
  private forgetOld(): void {
    const now = this.now();
    for (const [id, at] of this.sent) {
      if (now - at < countedForMs) return;
      this.sent.delete(id);
    }
  }
}
