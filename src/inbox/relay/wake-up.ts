/** Single-waiter latch; a wake-up without a waiter is remembered. */
export class WakeUp {
  private called = false;
  private resume: (() => void) | null = null;

  call(): void {
    this.called = true;
    this.resume?.();
  }

  /** Resolves at the next call (at once for a remembered one), and after `timeoutMs` at the latest. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.called) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.resume = null;
    this.called = false;
  }
}
