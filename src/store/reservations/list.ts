import type { Action } from '../../domain/reservation/actions.js';
import type { AttentionKind, ListFacts, ListRow } from '../../domain/reservation/types.js';
import type { Instant } from '../../domain/shared/time.js';
import type { ListPage } from '../page.js';

/** Which reservations a list shows, and which page of them. */
export interface ListFilter {
  status?: number;
  carId?: number;
  /** `any`: at least one item is open. */
  attention?: AttentionKind | 'any';
  /** The period overlaps [from, to); an unknown period overlaps nothing. */
  from?: Instant;
  to?: Instant;
  /** `nextCursor` of the page before. */
  cursor?: string;
  limit: number;
}

/** Of open ones also by what is not stored of closed ones. */
export interface OpenFilter extends ListFilter {
  productId?: number;
  /** A plate, or its last four digits. */
  carNumber?: string;
  /** Changed at this instant or later. */
  since?: Instant;
  /** The recommended action that is next. */
  next?: Action;
  /** An attention item of it is claimed by this person. */
  owner?: string;
  /** An item of it is claimed by `owner`, or its next steps are of the staff with this whole name. */
  involved?: { owner: string; staff?: string };
  /** A reservation id, a plate, or its last four digits. */
  q?: string;
  /** The whole name of a driver, of the companion or of the staff that dispatches or recalls. */
  person?: string;
}

/** One reservation of a list; of a closed one no plate, next action and owner. */
export interface ListItem extends ListFacts {
  reservationId: number;
  carNumber: string | null;
  /** The recommended action that is next. */
  next: Action | null;
  /** Who claimed its attention items. */
  owners: Owners;
  /** True: `attention` has the items that were open at the end. */
  closed: boolean;
}

/** Where an open reservation is shown on the board: in the first lane that fits. */
export const lanes = ['attention', 'dueOut', 'out', 'dueBack', 'toRecall'] as const;
export type Lane = (typeof lanes)[number];

/** Persons by the kind of the item that they claimed. */
export type Owners = Partial<Record<AttentionKind, string>>;

/** One reservation of the board. */
export interface BoardItem extends Omit<ListRow, 'since' | 'private'> {
  reservationId: number;
  /** Of the status. */
  since: Instant | null;
  /** What its lane is about, and sorted by: the start or the end of the period, or the return; null: unknown. */
  relevantAt: Instant | null;
  /** Who claimed its attention items. */
  owners: Owners;
  private: Omit<ListRow['private'], 'drivers' | 'contacts'>;
}

/** Which reservations the board shows; absent: all, and the first 40 of each lane. */
export type BoardFilter = Partial<
  Pick<OpenFilter, 'productId' | 'attention' | 'owner' | 'involved' | 'q' | 'limit'>
>;

/** How many reservations are in each lane, and the first of them. */
export type Board = Record<Lane, { count: number; items: BoardItem[] }>;

/** Lists of reservations. A page of open ones counts all that match. @throws CursorError for a cursor that this list did not give */
export interface ReservationLists {
  /** Open ones by the start of their period; those without one last. */
  open(filter: OpenFilter): Promise<ListPage<ListItem> & { count: number }>;
  /** Open ones by what they call for at `now`. */
  board(now: Instant, filter?: BoardFilter): Promise<Board>;
  /** The last closed first. */
  closed(filter: ListFilter): Promise<ListPage<ListItem>>;
}
