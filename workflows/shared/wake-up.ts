/**
 * Wakes the loop that waits for work. A plain promise where the SDK offers `condition`: for each look at a condition the
 * sandbox is left and entered again.
 */
export class Bell {
  private answer: (() => void) | null = null;

  ring(): void {
    this.answer?.();
    this.answer = null;
  }

  /** Resolves at the next ring. */
  rung(): Promise<void> {
    return new Promise((resolve) => {
      this.answer = resolve;
    });
  }
}
