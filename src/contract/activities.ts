import type { BookingState, Sighting } from '../domain/booking/types.js';
import type { ScheduleEntry, Unread } from '../domain/hold/index.js';
import type {
  ActionOperation,
  Booking,
  CommandBody,
  LookAheadAnswer,
  LookAheadRequest,
} from '../domain/reservation/index.js';
import type { Period } from '../domain/shared/time.js';
import type { ActionAttempt, Attempt, AttemptId, BookingAttempt } from './attempt.js';
import type { CommandAudit } from './audit.js';
import type { BookingResolution, BookingResolved, BookingSearch, BookingStart } from './booking.js';
import type { HoldRecord } from './hold.js';
import type { AttentionEntries, CaseFile, Recorded, RecordInput } from './reservation.js';
import type { KeyState, Role, RoleAlert, Suspension } from './role.js';

/** What one attempt of a staff action sends. */
export interface CommandAttempt {
  reservationId: number;
  /** Business identity of the action (`reservationId:action:commandId`), the same for every attempt. */
  idempotencyKey: string;
  body: CommandBody;
  id?: AttemptId;
}
type SendCommand = (attempt: CommandAttempt) => Promise<ActionAttempt>;

/** How a booking's attempt is sent. */
export interface BookingSending {
  id?: AttemptId;
  /** Milliseconds after the activity was scheduled within which the request has to leave. */
  leaveWithinMs?: number;
  /** Instant of the command: the activity stores the booking before its request leaves. Absent: the workflow stored it. */
  createdAt?: number | undefined;
}

/** One for each staff action. */
type Commands = Record<ActionOperation, SendCommand>;

/** What a role whose key the platform refuses asks for (L30); each may run twice. */
export interface RoleActivities {
  /** Notifies the role's workflow, and starts it where there is none. */
  suspendRole(suspension: Suspension & { role: Role }): Promise<void>;
  raiseAlert(alert: RoleAlert): Promise<void>;
  /** True where one was open. */
  clearAlert(role: { role: Role; at: number }): Promise<boolean>;
  /** Notifies reservations that the key works; one that has ended is skipped. */
  restoreReservations(reservationIds: number[]): Promise<void>;
}

/** What stores bookings, and resolves them: each is tried until it succeeds, so each may run twice. */
export interface BookingActivities {
  /** Before the request leaves (F30). `known`: another run stored it, and may have sent it. */
  keepBooking(booking: { start: BookingStart; runId: string; at: number }): Promise<'kept' | 'known'>;
  /** Searches the callbacks for a lost booking (F31-F34). */
  lookForBooking(search: BookingSearch): Promise<Sighting>;
  settleBooking(settlement: BookingResolution): Promise<BookingResolved>;
  /** Alerts operations of a booking that waits to be resolved, and clears the alert once it is (F38). */
  raiseBookingAlert(alert: {
    commandId: string;
    at: number;
    state: BookingState;
    code: string;
    /** Why its answer cannot be read; absent: it got lost. */
    message?: string;
  }): Promise<void>;
  clearBookingAlert(alert: { commandId: string; at: number }): Promise<void>;
  /** Notifies the reservation of its booking, and starts it where it is unknown (F36). */
  tellReservation(news: { reservationId: number; booking: Booking }): Promise<void>;
}

/** Where a car is sold: in one product. */
export interface CarPlace {
  productId: number;
  carId: number;
}

/** Writes on one car as the rental company, each one attempt, and the reads that look for what became of them. */
export interface CarWriteActivities {
  addCarMemo(memo: {
    carId: number;
    content: string;
    writerName?: string;
    id?: AttemptId;
  }): Promise<Attempt<{ memoId: number }>>;
  /** The newest memo of exactly this text; null: none is seen. `unread`: those that cannot be read, and may be it. */
  findCarMemo(sought: {
    carId: number;
    content: string;
  }): Promise<Attempt<{ memoId: number | null; unread?: { count: number; why: string } }>>;
  setSaleStatus(
    choice: CarPlace & { saleYn: 'Y' | 'N'; id?: AttemptId },
  ): Promise<Attempt<{ saleYn: 'Y' | 'N' }>>;
  /** Null where the product does not hold the car. For a single read; a scan of many products uses `carInProduct`. */
  findSaleStatus(place: CarPlace): Promise<Attempt<{ saleYn: 'Y' | 'N' | null }>>;
}

/** External schedule entries (type S): each one attempt, and the reads that look for what became of them. */
export interface ScheduleActivities {
  readCar(car: { carId: number }): Promise<Attempt<{ carNumber: string }>>;
  addSchedule(entry: EntryText & { carId: number; id?: AttemptId }): Promise<Attempt<{ scheduleId: number }>>;
  changeSchedule(
    entry: EntryText & { scheduleId: number; carId: number; id?: AttemptId },
  ): Promise<Attempt<object>>;
  deleteSchedule(entry: { scheduleId: number; id?: AttemptId }): Promise<Attempt<object>>;
  /** `reason` null: it cannot be read. */
  getSchedule(entry: {
    scheduleId: number;
  }): Promise<Attempt<Pick<EntryText, 'period'> & { reason: string | null }>>;
}
interface EntryText {
  period: Period;
  reason: string;
}

/** What long scans read of the platform (`scanQueueOf`): one request each, tried again until it is answered. */
export interface ScanActivities {
  /** Of every product that the rental company has. */
  listProductIds(): Promise<(number | Unread)[]>;
  /** A car's sale status in a product; null where the product does not hold it. */
  carInProduct(place: CarPlace): Promise<{ saleYn: 'Y' | 'N' } | null>;
  /** Of one car; `carNumber` keeps the answer short. Whole days in the service's zone, the end inclusive. */
  carSchedules(query: {
    carId: number;
    carNumber?: string;
    startDate: string;
    endDate: string;
  }): Promise<(ScheduleEntry | Unread)[]>;
}

/** The activities that a worker registers, by the names in histories. */
export interface Activities
  extends Commands,
    RoleActivities,
    CarWriteActivities,
    BookingActivities,
    ScheduleActivities {
  book(start: BookingStart, sending?: BookingSending): Promise<BookingAttempt>;
  /** Tries the role's key with a harmless read. */
  probeRole(role: Role): Promise<KeyState>;
  /** What follows in the schedule of a reservation's car, and which cars could replace it; reads alone. */
  lookAhead(request: LookAheadRequest): Promise<LookAheadAnswer>;
  /** Writes verdicts, timeline entries and what lists show in one statement; idempotent. Undefined: no attention items are posted. */
  record(input: RecordInput): Promise<Recorded | undefined>;
  /** Alerts operations of attention items, each by one post; idempotent. */
  postAttention(lines: AttentionEntries): Promise<void>;
  /** Writes the outcome of a command; idempotent. */
  audit(entry: CommandAudit): Promise<void>;
  /** Writes the row of a hold, its lines for the audit, and whether it calls for a person; idempotent. */
  recordHold(record: HoldRecord): Promise<void>;
  /** An open hold that withdraws the car from sale, and ends by `before` at the latest; null: none. */
  holdBefore(hold: { carId: number; holdId: string; before: number }): Promise<{ holdId: string | null }>;
  /** Stores the case file of a closed reservation; idempotent. */
  closeCase(file: CaseFile): Promise<void>;
}
