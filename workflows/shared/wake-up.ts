/**
 * Wakes the loop that waits for work. A plain promise where the SDK offers `condition`: for each check of a condition the
 * sandbox is left and entered again.
 */
export class WakeUp {
  private wake: (() => void) | null = null;

  trigger(): void {
    this.wake?.();
    this.wake = null;
  }

  /** Resolves at the next trigger. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
