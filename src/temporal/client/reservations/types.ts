import type { CommandResult, Settlement, Settlements } from '../../../contract/reservation.js';
import type {
  AttentionKind,
  Command,
  Instant,
  Refusal,
  ReservationView,
} from '../../../domain/reservation/index.js';
import type { ListPage } from '../../../store/page.js';

/** What a command met. `command` may still be on its way: its outcome says so. */
export type ActAnswer =
  | ({ kind: 'answered' } & CommandResult)
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'no-reservation' };

export type SettleAnswer =
  | { kind: 'settled'; reservation: ReservationView }
  | Exclude<ActAnswer, { kind: 'answered' }>;

/**
 * Everything that reads or moves a reservation; a closed one is read from its case file, and nothing moves it. Every
 * method throws `EngineUnavailableError`.
 */
export interface Reservations {
  /** Undefined: no such reservation. */
  view(reservationId: number): Promise<ReservationView | undefined>;
  /** Answers within 10 s, whether or not the outcome is known by then (L21-L24). */
  act(reservationId: number, command: Command): Promise<ActAnswer>;
  /** What a manager settles; an assertion about a reservation nobody knows adopts it. */
  settle<S extends Settlement>(
    reservationId: number,
    name: S,
    input: Settlements[S],
    requestId: string,
  ): Promise<SettleAnswer>;
  /** @throws `CursorError` for a cursor that no earlier answer to the same filter gave. */
  list(filter: ListFilter): Promise<ListPage<ListItem>>;
}

export interface ListFilter {
  /** Case files instead of open reservations. */
  closed?: boolean;
  status?: number;
  carId?: number;
  attention?: AttentionKind;
  /** The period overlaps [from, to). */
  from?: Instant;
  to?: Instant;
  cursor?: string;
  limit: number;
}

/** One reservation of a list: nothing personal (L60), for lists come from what is stored in plain text. */
export interface ListItem {
  reservationId: number;
  status: number | null;
  carId: number | null;
  companyId: number | null;
  period: { start: Instant; end: Instant } | null;
  attention: AttentionKind[];
  closed: boolean;
}
