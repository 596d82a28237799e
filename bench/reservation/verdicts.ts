import type { RecordInput } from '../../src/contract/reservation.js';

/** Counts the verdicts that reach the store. */
export class Verdicts {
  private count = 0;
  private awaited = 0;
  private reached = () => {};

  add({ verdicts }: RecordInput): undefined {
    this.count += verdicts.length;
    if (this.count >= this.awaited) this.reached();
  }

  /** Resolves once as many more have come since the last call. */
  more(verdicts: number): Promise<void> {
    this.awaited += verdicts;
    return new Promise((resolve) => {
      this.reached = resolve;
      if (this.count >= this.awaited) resolve();
    });
  }
}
