/** Wakes the loop that waits for work. A plain promise: each check of the SDK's `condition` costs an entry into the sandbox. */
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
