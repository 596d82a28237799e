import type { Instant } from './time.js';

/** Ids, codes and counts behind an audit entry, such as `before`, `after`, `outcome`; never personal data (L60). */
export type AuditData = Record<string, string | number | boolean | null>;

/** What a person did, as the audit stores it. */
export interface AuditEntry {
  at: Instant;
  /** The token's name. */
  by: string;
  /** What was done, such as `inbox.replay` or `car.memo`. */
  action: string;
  /** To what, such as `car/1001`; empty where the action has none. Never personal data (L60). */
  subject: string;
  /** The reason that the person gave; null where the action requires none. */
  reason: string | null;
  data: AuditData;
}
