import type { CarWriteResult } from './car-write.js';

/** What a workflow reports to the audit once the outcome of a command is known; each action of a command is stored once. */
export interface CommandAudit {
  commandId: string;
  /** Instant of the request. */
  at: number;
  /** The token's name. */
  by: string;
  /** What was done, such as `car.memo`. */
  action: string;
  /** To what, such as `car/1001`. Never personal data (L60). */
  subject: string;
  /** The reason that the person gave; null where the action requires none. */
  reason: string | null;
  /** Ids, codes and counts, such as `before`, `after`, `outcome`, `code`; never personal data (L60). */
  data: Record<string, string | number | boolean | null>;
  /** The first answer to a write on a car, for a repeat of its key; stored apart from the audit. */
  answered?: CarWriteResult;
}
