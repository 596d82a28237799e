/** Two workers on two cores judge some 40 signals a second: a staff action waits three seconds for those of their two relays. */
const mostUnjudged = 64;
/** How long a signal without a verdict counts, where none sent after it has one. */
const countedForMs = 10_000;
/** Workers judge about in the order of sending: what was sent so long before one with a verdict waits for no worker. */
const passedAfterMs = 2_000;

export interface UnjudgedOptions {
  /** Signals without a verdict at once. */
  most?: number;
  /** @returns those of these rows whose verdict is still awaited */
  selectStillSent: (inboxIds: number[]) => Promise<number[]>;
}

/**
 * The signals of a process that have no verdict yet. In a long backlog the workers apply less than the relays can send. A signal
 * that is ahead of them waits in Temporal before the next task of its reservation, so that a staff action there would not be
 * answered in time. A callback that waits in the inbox delays no staff action, and several of one reservation share a signal.
 */
export class Unjudged {
  /** The last row of each signal, and when it was sent; in the order of sending. */
  private readonly sent = new Map<number, number>();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly options: UnjudgedOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  record(lastInboxId: number): void {
    // a key that is set once more keeps its old place
    this.sent.delete(lastInboxId);
    this.sent.set(lastInboxId, this.now());
  }

  /** How many more may begin beside `underWay`. Verdicts are read only where none could. @throws the error of the database */
  async readRoom(underWay: number): Promise<number> {
    this.forgetUntil(this.now() - countedForMs);
    const { most = mostUnjudged, selectStillSent } = this.options;
    const countRoom = () => Math.max(most - this.sent.size - underWay, 0);
    if (countRoom() > 0) return countRoom();
    // not those that are recorded meanwhile
    const read = [...this.sent];
    const stillSent = new Set(await selectStillSent(read.map(([id]) => id)));
    const judged = read.filter(([id]) => !stillSent.has(id));
    for (const [id] of judged) this.sent.delete(id);
    const [, lastJudgedSentAt] = judged.at(-1) ?? [];
    // its workflow is stuck, or waits for a slow platform: it holds up no other
    if (lastJudgedSentAt !== undefined) this.forgetUntil(lastJudgedSentAt - passedAfterMs);
    return countRoom();
  }

  private forgetUntil(sentAt: number): void {
    for (const [id, at] of this.sent) {
      if (at > sentAt) return;
      this.sent.delete(id);
    }
  }
}
