import type { AuditEntry } from '../domain/shared/audit.js';
import type { CarWriteResult } from './car-write.js';

/** What a workflow reports to the audit once the outcome of a command is known; each action of a command is stored once. */
export interface CommandAudit extends AuditEntry {
  commandId: string;
  /** The first answer to a write on a car, for a repeat of its key; stored apart from the audit. */
  answered?: CarWriteResult;
}
