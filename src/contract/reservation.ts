import type {
  Assertion,
  AttentionKind,
  Booking,
  Command,
  CommandView,
  Driver,
  EventVerdict,
  ListFacts,
  ListRow,
  Policy,
  ReservationEvent,
  ReservationState,
  ReservationView,
  TimelineEntry,
} from '../domain/reservation/index.js';
import type { KeyMark } from '../domain/shared/idempotency.js';
import { reservationWorkflowId } from './names.js';
import type { TraceCarrier } from './tracing.js';

/** Start argument of the reservation workflow; `carried` is set by continue-as-new only. */
export interface ReservationStart {
  reservationId: number;
  policy: Policy;
  /** True: its workers accept rows directly (`RowSinks`). Otherwise, and after each `record` activity, the answer of that activity decides. */
  direct?: boolean;
  carried?: Carried;
}

/** What is the same for every reservation that a process starts. */
export type StartSettings = Pick<ReservationStart, 'policy' | 'direct'>;

/**
 * How every caller starts a reservation's workflow: one that has ended is never started again (L08).
 * @param queue the worker's task queue
 */
export function startOptions(start: ReservationStart, queue: string) {
  return {
    workflowId: reservationWorkflowId(start.reservationId),
    taskQueue: queue,
    args: [start] as [ReservationStart],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    staticSummary: `Reservation ${start.reservationId}`,
  };
}

/** What a run passes to the next: plain JSON. */
export interface Carried {
  state: ReservationState;
  /** Rows that are not in the database yet. */
  unrecorded: UnstoredRows;
  /** Entries of attention items that operations have not received yet. */
  unposted?: TimelineEntry[];
  /** Update ids of the newest applied settlements, 64 at most. */
  settled?: string[];
  /** Marks of the same; those that 0.2.0 applied have none. */
  settledMarks?: KeyMark[];
}

/**
 * Payload of the `events` signal: what waits for one reservation, in order of arrival. `policy` is the sender's: the
 * run that follows the next continue-as-new takes it over.
 */
export interface EventBatch {
  events: ReservationEvent[];
  policy: Policy;
}
export const eventsSignal = 'events';
/** In place of a signal that was refused because it is not encrypted: without content, it only counts. */
export const refusedSignal = 'refused';

/** Payload of the `booked` signal: a booking of ours became this reservation (F36). */
export interface BookedNews {
  booking: Booking;
  policy: Policy;
}
export const bookedSignal = 'booked';

/** Each staff action is an update of its own name (see `actions`), with this argument and this result. */
export type CommandInput = Command;
export interface CommandResult {
  command: CommandView;
  reservation: ReservationView;
}

/** Decisions of a manager: each is an update of its own name, whose result is the reservation. */
export interface ManagerDecisions {
  /** An unknown outcome (L24). */
  resolveCommand: ResolveCommandInput;
  resolveAttention: ResolveAttentionInput;
  /** Facts that no evidence gives; on an unknown reservation it adopts it. */
  assertFacts: Assertion & Keyed;
}

interface Keyed {
  /** The caller's `Idempotency-Key`; absent from an API of 0.2.0. */
  settlementId?: string;
}
export type ManagerDecision = keyof ManagerDecisions;
interface ResolveCommandInput extends Keyed {
  commandId: string;
  outcome: 'applied' | 'rejected';
  reason: string;
  by: string;
}
interface ResolveAttentionInput extends Keyed {
  kind: AttentionKind;
  reason: string;
  by: string;
}

/** Payload: `ScheduleEvidence`, what the reconciliation read of the platform's schedule (L19). */
export const scheduledSignal = 'scheduled';

/** Query: the reservation, a `MarkedView`. Earlier versions give and read no argument. */
export const viewQuery = 'view';
export interface ViewInput {
  /** Also what the keys of its commands stand for. */
  withMarks: boolean;
}
/** With the marks a repeated command is recognised (L21); no answer of the API has them. */
export type MarkedView = ReservationView & { commandMarks?: KeyMark[] };

/** Query: a `ListRow`, as `record` writes it. Workers of 0.3.0 do not answer it. */
export const listRowQuery = 'listRow';

/** Query: the effect of these events (an array of `EventPreview`); nothing is stored. */
export const previewQuery = 'foresee';
export interface PreviewInput {
  events: ReservationEvent[];
  /** A query has no clock of its own. An instant. */
  now: number;
}

/**
 * A refusal by an update's validator travels as an `ApplicationFailure` of this type, its details being
 * `[Refusal]`.
 */
export const refusalType = 'Refusal';

/** Argument of the `record` activity: one statement of verdicts, timeline entries and the row of lists, idempotent. */
export interface RecordInput {
  reservationId: number;
  verdicts: EventVerdict[];
  entries: TimelineEntry[];
  /** What lists show after them; absent from a worker of 0.3.0. */
  row?: ListRow;
  /** Whom the judged events named and the row does not: a person who was replaced within one step. An erasure finds the reservation by them. */
  persons?: PersonNamed[];
}

/** What a person is found by. */
export type PersonNamed = Pick<Driver, 'name' | 'phone' | 'licenseNumber'>;

/** Argument of the `closeCase` activity: what is stored of a closed reservation beside its rows (L47); idempotent. */
export interface CaseFile {
  reservationId: number;
  /**
   * When its run was about to end: of two files of one reservation the later counts. An instant, and the sequence of the state: no
   * later row of lists belongs to what is closed.
   */
  closedAt: number;
  facts: ListFacts;
  /** As it stands at the end. */
  view: ReservationView;
  /** Of the newest settlements and commands: a repeat is known after the closing too (L21). */
  settledMarks?: KeyMark[];
}

/** Result of the `record` activity. */
export interface Recorded {
  /** Operations want to receive attention items. */
  posts?: true;
  /** The worker also accepts rows directly (`RowSinks`); the run then writes verdicts while a request is out, too. */
  direct?: true;
}

/** The sink of a worker that stores rows before it completes the workflow task. */
export type RowSinks = { rows: { store(rows: RecordInput, trace: TraceCarrier | undefined): void } };

/** Signal: rows that the worker could not store (`RowSinks`). Payload: `UnstoredRows`. */
export const rowsReturnedSignal = 'rowsReturned';

/** Rows that are not in the database yet. */
export type UnstoredRows = Pick<RecordInput, 'verdicts' | 'entries' | 'persons'>;

/** Argument of the `postAttention` activity: timeline entries that raise or clear attention items, in their order. */
export interface AttentionEntries {
  reservationId: number;
  entries: TimelineEntry[];
}
