/** Background work of a process, for as long as it has the right to it. */
export interface Duty {
  start(): void;
  /** Resolves when nothing is under way any more that needs the right to it. */
  stop(): Promise<void>;
  /** When its loop last turned (`performance.now()`); absent: a loop that hangs is not reported. */
  readonly turnedAt?: number;
}
