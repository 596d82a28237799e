/** What one request to the platform met (L30). The message is the platform's, and may hold personal data (L60). */
export type Attempt<T> =
  | { kind: 'done'; value: T }
  /** 429, or a connection that never opened: it was not sent. */
  | { kind: 'wait'; code: string; retryAfterMs?: number }
  /** The role's key is refused, or known to be: it was not done. */
  | { kind: 'suspended'; code: string }
  | { kind: 'refused'; code: string; message: string }
  /** It may have happened. */
  | { kind: 'unknown'; code: string };

/** How a request ended after all waiting. */
export type Ended<T> = Extract<Attempt<T>, { kind: 'done' | 'refused' | 'unknown' }>;
