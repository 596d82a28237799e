import type { SQL } from 'drizzle-orm';

/** Statements that commit together, or not at all. */
export interface Commit {
  statements: readonly SQL[];
  /**
   * Whole numbers; empty: no order. Where two commits have one in common, the first has committed before the second draws
   * an id, so their rows become visible in the order of their ids.
   */
  inOrderOf: readonly number[];
}

/**
 * Commits statements without a further message from the client, so a frozen client holds no lock. A commit without an
 * answer within two seconds is abandoned, and its connection closed.
 * @returns the rows of the last statement
 * @throws `CommitAbandonedError`, after which it may be committed all the same, now or within seconds; else what the
 * database threw
 */
export type CommitTogether = <Row>(commit: Commit) => Promise<Row[]>;

/** What commits go by. */
export interface CommitConnections {
  commit: CommitTogether;
  close(): Promise<void>;
}

/** Whether it is committed is unknown. The same commit is repeated over another connection. */
export class CommitAbandonedError extends Error {
  override readonly name = 'CommitAbandonedError';
  readonly code = 'COMMIT_ABANDONED';
}
