import type { SQL } from 'drizzle-orm';

/** Statements that commit together, or not at all. */
export interface Commit {
  statements: readonly SQL[];
  /**
   * Whole numbers. Of two commits with one in common the first has committed before the second draws an id, so what they
   * write becomes visible in the order of its ids. Nothing to order: empty.
   */
  inOrderOf: readonly number[];
}

/**
 * Commits without anything that the client has to send in between: no client that freezes holds a lock. Bounded in time:
 * what does not answer within two seconds is abandoned, and its connection closed.
 * @returns the rows of the last statement
 * @throws `CommitAbandonedError`, after which it may be committed all the same, now or within seconds; else what the
 * database threw
 */
export type CommitTogether = <Row>(commit: Commit) => Promise<Row[]>;

/** It is unknown whether it is committed. The same commit is repeated over another connection. */
export class CommitAbandonedError extends Error {
  override readonly name = 'CommitAbandonedError';
  readonly code = 'COMMIT_ABANDONED';
}
