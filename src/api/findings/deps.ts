import type { Finding, FindingFilter } from '../../store/findings/findings.js';
import type { ListPage } from '../../store/page.js';

export type { Finding } from '../../store/findings/findings.js';

/** What the platform's schedule and the reservations do not agree on (F41-F49). */
export interface Findings {
  /** Newest first. */
  list(filter: FindingFilter): Promise<ListPage<Finding>>;
  /** Undefined: there is no such finding. */
  read(id: number): Promise<Finding | undefined>;
  /** Closes the card of an entry whose reservation has its facts; a repeat of the same command changes nothing. */
  adopt(adoption: {
    finding: Finding;
    reservationId: number;
    by: string;
    reason: string;
    commandId: string;
  }): Promise<Finding>;
}
