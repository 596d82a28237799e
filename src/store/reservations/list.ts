import type { AttentionKind, ListFacts } from '../../domain/reservation/types.js';
import type { Instant } from '../../domain/shared/time.js';

/** Which reservations a list shows, and which page of them. */
export interface ListFilter {
  status?: number;
  carId?: number;
  attention?: AttentionKind;
  /** The period overlaps [from, to); an unknown period overlaps nothing. */
  from?: Instant;
  to?: Instant;
  /** `nextCursor` of the page before. */
  cursor?: string;
  limit: number;
}

/** One reservation of a list: nothing personal (L60), because lists come from plain-text columns. */
export interface ListItem extends ListFacts {
  reservationId: number;
  /** True: `attention` has the items that were open at the end. */
  closed: boolean;
}
