/** How a car memo ended; `unknown`: nobody could see whether it is there. The message is ours, never personal. */
export type MemoOutcome =
  | { outcome: 'applied'; memoId: number }
  | { outcome: 'rejected'; code: string; message: string }
  | { outcome: 'unknown'; code: string };
