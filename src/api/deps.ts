import type { Payload } from '@temporalio/common';
import type { FastifyPluginAsync } from 'fastify';
import type { Alert } from '../alerts/alerts.js';
import type { AlertQuery } from '../alerts/page.js';
import type { AuditFilter, AuditLine } from '../audit/audit.js';
import type { BlobStore } from '../blobs/store.js';
import type { BookingDetail, BookingFilter, BookingItem } from '../bookings/reads.js';
import type { AccessToken } from '../config.js';
import type {
  BookingRefusal,
  BookingResult,
  BookingStart,
  ResolveBookingInput,
} from '../contract/booking.js';
import type { CommandResult, Settlement, Settlements } from '../contract/reservation.js';
import type { ListPage } from '../db/page.js';
import type { HttpLimits } from '../http/limits.js';
import type {
  AttentionKind,
  Command,
  Instant,
  Refusal,
  ReservationView,
  TimelineEntry,
} from '../lifecycle/index.js';
import type { Logger } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Findings } from './finding-deps.js';
import type { FleetDeps } from './fleet-deps.js';
import type { Holds } from './hold-deps.js';
import type { InboxWindow, IntakeState } from './window.js';

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

export interface Bookings {
  /**
   * Books once per command id. `pending`: not known within 10 s; `reused`: the id stands for another body.
   * @throws `EngineUnavailableError`
   */
  book(start: BookingStart): Promise<BookingResult | { outcome: 'pending' } | { outcome: 'reused' }>;
  /** Newest first. */
  list(filter: BookingFilter): Promise<ListPage<BookingItem>>;
  /** Undefined: there is no such booking. */
  read(commandId: string): Promise<BookingDetail | undefined>;
  /** What a person says became of a lost booking (F35). @throws `EngineUnavailableError` */
  resolve(
    commandId: string,
    input: ResolveBookingInput,
  ): Promise<{ kind: 'settled' } | { kind: 'refused'; refusal: BookingRefusal } | { kind: 'no-booking' }>;
}

/** Who may have payloads decoded, and how. */
export interface CodecAccess {
  token: string;
  /** Where Temporal UI's pages come from, e.g. `http://127.0.0.1:8233`. */
  uiOrigins: readonly string[];
  /** @throws `CodecError` */
  decode(payloads: Payload[]): Promise<Payload[]>;
}

export interface ApiDeps {
  tokens: readonly AccessToken[];
  /** Offset of the service's zone in minutes (G18): timestamps are written in it. */
  zoneOffsetMinutes: number;
  log: Logger;
  metrics: Metrics;
  reservations: Reservations;
  bookings: Bookings;
  fleet: FleetDeps;
  holds: Holds;
  findings: Findings;
  inbox: InboxWindow;
  intakeState(): Promise<IntakeState>;
  /** Newest first. */
  audit: { list(filter: AuditFilter): Promise<ListPage<AuditLine>> };
  /** In order of `seq`; empty where nothing is recorded. */
  timeline: {
    read(reservationId: number, range: { cursor?: string; limit: number }): Promise<ListPage<TimelineEntry>>;
  };
  /** Newest first. */
  alerts: { list(query: AlertQuery): Promise<ListPage<Alert>> };
  photos: Pick<BlobStore, 'putPhoto'>;
  /** Readiness: each resolves while its part answers, and rejects otherwise. */
  probes: Readonly<Record<string, () => Promise<unknown>>>;
  /** Absent: there is no codec endpoint. */
  codec?: CodecAccess;
  limits?: Partial<HttpLimits>;
  /** The callback receiver, registered in a scope of its own. */
  intake?: FastifyPluginAsync;
}

/** Temporal or every worker is away: nothing is known about what was asked. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
}
export { CursorError } from '../http/cursor.js';
