import type { Message, Sentence } from '../shared/message.js';
import type { Ended, Outcome } from '../shared/outcome.js';
import type { Instant, Period } from '../shared/time.js';
import type { Action } from './actions.js';

export type { Action } from './actions.js';

/**
 * The language of the lifecycle. Everything here is plain JSON: it travels in signals, update results, query
 * answers and carried state.
 */

type Role = 'channel' | 'supplier';

/** Why we believe a fact (design, Public interface), strongest first. */
export const grades = ['observed', 'asserted', 'commanded', 'corroborated', 'inferred'] as const;
export type Grade = (typeof grades)[number];

/**
 * Who or what a fact rests on: an event by its row in the inbox, a command by its id, a person by the token's name, an
 * entry of the platform's schedule by its id, or the status code that implies it.
 */
export interface Source {
  kind: 'event' | 'command' | 'person' | 'schedule' | 'inference';
  id: string;
}

/** How one event ended; every event ends with exactly one (lifecycle rules, Observing). */
export const verdicts = [
  'applied',
  'duplicate',
  'stale',
  'after-terminal',
  'conflict',
  'unknown-status',
  'invalid',
] as const;
export type Verdict = (typeof verdicts)[number];
/** Of an event that a reservation received: what cannot be read reaches none (L63). */
export type Judged = Exclude<Verdict, 'invalid'>;

/** Which callback brought an event. */
export type EventChannel = 'registration' | 'update' | 'car' | 'status';

export interface CarFact {
  id: number;
  number: string | null;
}
/** An entry of a car's schedule (specification, Schedule): a reservation's (R) or an external one (S). */
export interface CarEntry {
  scheduleId: number;
  type: 'R' | 'S';
  start: Instant;
  end: Instant;
  /** Of an R entry: whose it is, as far as it is known here; the entry itself does not say. */
  reservationId?: number;
}
/** Null: the platform sent something that cannot be read. */
export interface Driver {
  name: string | null;
  birth: string | null;
  phone: string | null;
  licenseNumber: string | null;
  address: string | null;
}
/** A company; `name` null: it cannot be read. */
interface Company {
  id: number;
  name: string | null;
}
export interface Companion {
  phone?: string;
  birth?: string;
  name?: string;
  licenseNumber?: string;
}

/**
 * A callback, normalised by the relay. Absent: the event says nothing about it. `companion: null` means the
 * event carries the whole reservation and no companion stands in it (L15).
 */
export interface ReservationEvent {
  /** Identity: `webhook-id`, or the content's hash where the platform sends none. */
  eventId: string;
  /** Its row in the inbox, where the verdict goes. */
  inboxId: number;
  channel: EventChannel;
  receivedAt: Instant;
  /** A person had the stored event read again: which time this is, from 1. Its `eventId` says so too. */
  replay?: number;
  changedAt?: Instant;
  /** SHA-256 of what the event says, without its identity: equal content has equal hashes. */
  contentHash: string;
  status?: number;
  service?: Company;
  company?: Company;
  productId?: number;
  createdAt?: Instant;
  period?: Period;
  car?: CarFact;
  previousCarId?: number;
  driving?: { start?: Instant; end?: Instant };
  pickupAddress?: string;
  pickupMemo?: string;
  driver?: Driver;
  companion?: Companion | null;
  parking?: { memo?: string; imageUrl?: string; lotType?: number };
  /** Names of fields whose form breaks the specification (L61): kept raw, marked. */
  malformed?: string[];
}

/** A reservation's entry of the platform's schedule (type R, G08): whose it is, the entry does not say. */
export interface ScheduleEntry extends Period {
  scheduleId: number;
  carId: number;
}

/** What the reconciliation read of the schedule about one reservation (L19). */
export interface ScheduleEvidence {
  /** When the reading began: what came until then is settled by it. */
  at: Instant;
  /** The reservation's entry; null: none was found to be its own. */
  entry: ScheduleEntry | null;
  /** Entries of its car without a reservation: one of them may be it. */
  candidates: ScheduleEntry[];
  /** Read so twice: a difference or an absence calls for a person. */
  confirmed: boolean;
}

/** A stored photo: its bytes lie in the blob store under `hash` (hex SHA-256). */
export interface PhotoRef {
  hash: string;
  type: string;
  size: number;
}

/** What a person may send with an action; which fields an action takes is checked at the API (G13-G15). */
export interface CommandBody {
  staffName?: string;
  staffPhone?: string;
  photo?: PhotoRef;
  parkingMemo?: string;
  parkingLotType?: 0 | 1;
  /** With recall complete: becomes a memo of the car and is no part of the request (F57). */
  note?: string;
}

/** A staff action on its way in. */
export interface Command {
  commandId: string;
  action: Action;
  body: CommandBody;
  /** Who: the token's name, never a customer's. */
  by: string;
  /** L20, L27: sends a step that the guards would refuse; the reason is stored. */
  override?: { reason: string };
}

/** A booking of ours that the platform took: our request, and what is known of the answer. */
export interface Booking {
  commandId: string;
  /** Who booked; where a person settled it, who that was. */
  by: string;
  /** When it was known. */
  at: Instant;
  settledBy: 'answer' | 'callback' | 'person';
  /** The answer's string, raw (G12), and its car number; null where no answer came. */
  status: string | null;
  carNumber: string | null;
  productId: number;
  period: Period;
  driver: Driver;
  companion: Companion | null;
  pickupAddress: string;
  pickupMemo?: string;
}

/** What the platform's answer to an action names (G16). `unparsed`: it was accepted, and cannot be read. */
export interface ActionAnswer {
  status?: number;
  unparsed?: boolean;
}
/** How one attempt of a command ended (L30). */
export type Answer = Outcome<ActionAnswer>;

/**
 * Where a command stands: `queued` (its turn has not come), `out` (the request is on the wire), `waiting`
 * (429, unreachable: will be tried again), `suspended` (401, 403), or one of the three outcomes.
 */
export type CommandState = 'queued' | 'out' | 'waiting' | 'suspended' | Ended['outcome'];

/** A command as the view shows it. */
export interface CommandView {
  commandId: string;
  action: Action;
  outcome: CommandState;
  by: string;
  /** When it was requested, and when it reached its outcome. */
  at: string;
  settledAt: string | null;
  settledBy: 'answer' | 'callback' | 'person' | null;
  /** The person who stated its outcome (L24). */
  resolvedBy?: string;
  /** The platform's code and reason of a rejection, or the code of what went wrong. */
  code: string | null;
  message: Sentence | null;
  /** The platform's own text of a rejection, where the wire profile declares it free of personal data. */
  platformMessage?: string;
  attempts: number;
  override: { reason: string } | null;
}

/** A decision of a manager or staff, and the reason, which is personal data (L60). */
export interface DecisionView {
  at: string;
  by: string;
  /** Asserted facts, or an attention item that was resolved. */
  about: 'facts' | AttentionKind;
  reason: string;
}

/** A refusal at once (L20, L21, L27): nothing reached the platform or the history. */
export interface Refusal {
  code:
    | 'ACTION_NOT_ALLOWED'
    | 'STATUS_BEHIND'
    | 'OUT_OF_ORDER'
    | 'RESERVATION_NOT_FOUND'
    | 'RESERVATION_TERMINAL'
    | 'ROLE_OFF'
    | 'COMMAND_ID_REUSED'
    | 'TOO_MANY_OPEN_COMMANDS'
    | 'TIMELINE_WAITS'
    | 'COMMAND_NOT_FOUND'
    | 'COMMAND_SETTLED'
    | 'PHOTO_MISSING'
    | 'ATTENTION_NOT_FOUND'
    | 'PERIOD_INCOMPLETE'
    | 'PERIOD_REVERSED'
    | 'NOTHING_ASSERTED';
  /** For the person who sent the request. */
  message: Sentence;
  /** True where `override: true` with a reason would send it. */
  overridable: boolean;
}

/** With status and commands of the view it decides what becomes of each staff action: see `actionOptions`. */
export interface Progress {
  /** The deployment has the key that staff actions need. */
  isSupplier: boolean;
  /** Too many commands are open. */
  isFull: boolean;
  /** Recommended steps that were neither done nor left out by an override (L27). */
  missing: Action[];
}

/**
 * What becomes of a staff action that is requested now: `next` is the recommended one (at most one), `allowed` is accepted too,
 * `needs-override` is sent with an override and its reason, `refused` is not. `code` and `message`: why it is not accepted as it is.
 */
export interface ActionOption {
  action: Action;
  state: 'next' | 'allowed' | 'needs-override' | 'refused';
  code: Refusal['code'] | null;
  message: Sentence | null;
}

/** One timeline entry (design: verdicts and timeline are rows). Holds no personal data. */
export interface TimelineEntry {
  /**
   * Emitted: its place among the entries of this state. Stored: its place in the reservation's timeline (1, 2, 3 …), given when it
   * is stored and never changed. The two differ where a run does not know all that is stored.
   */
  seq: number;
  /** Absent: the first of its content at its instant. See `identityOf`. */
  nth?: number;
  at: Instant;
  kind: 'event' | 'command' | 'timer' | 'decision';
  /** The rule that decided, e.g. `L03`. */
  rule: string;
  /** What a person understands without reading code: what happened, then what moved. Absent: an earlier release wrote it. */
  messages?: Message[];
  /** The same in English; the identity of the entry rests on it. */
  text: string;
  /** Ids and codes behind the sentence. */
  data: Record<string, string | number | boolean | null>;
  /** Set where the entry raises an attention item, also again, or clears it. */
  attention?: AttentionChange;
}

/** The alert of an attention item to operations; `AttentionView.message` is for the staff of the reservation. */
export interface AttentionChange {
  kind: AttentionKind;
  change: 'raised' | 'cleared';
  /** Raised before and still open: something new of its kind happened. */
  again?: true;
  since: Instant;
  /** The alert's text: ids, codes, rule ids; nothing personal. */
  alert: string;
}

export interface EventVerdict {
  inboxId: number;
  /** Of which reading; absent: the first. */
  replay?: number;
  verdict: Verdict;
  rule: string;
}

/** Durations and tables that decide; plain data, given at start and carried (lifecycle rules, Time). */
export interface Policy {
  roles: Role[];
  /** Offset of the service's zone in minutes (`+0900` = 540); views are written in it. */
  zoneOffsetMinutes: number;
  dispatchLeadMs: number;
  overdueGraceMs: number;
  lateLadderMs: number[];
  recallOverdueMs: number;
  notAnnouncedMs: number;
  incompleteMs: number;
  /** L13: how long a fact may stay ambiguous before attention is raised. */
  ambiguousMs: number;
  settleMs: number;
  /** How long a proposed hold lasts; absent in runs of before 0.2.0: a day. */
  holdProposalMs?: number;
  /** How long before its start the next entry of a car that is late calls for attention; absent as above: a day. */
  dangerLeadMs?: number;
  /** A run continues as new after this many signals, which the server's own suggestion does not count. */
  signalsPerRun: number;
  /** A run continues as new at the next quiet point once its history has this many events; 1: at every one. */
  historyEventsPerRun: number;
  /** From which statuses a status may legally come (States table, G38), keyed by status code. */
  fromStates: Record<string, number[]>;
}

export type Display = 'assigned-car' | 'in-use' | 'use-completed' | null;

/** Kinds of attention item (lifecycle rules, Observing and Time). */
export const attentionKinds = [
  'terminal-contradiction',
  'conflict',
  'unknown-status',
  'ambiguous',
  'schedule-missing',
  'schedule-differs',
  'incomplete',
  'odd-period',
  'spec-violation',
  'dispatch-not-started',
  'handover-late',
  'callback-overdue',
  'return-late',
  'next-in-danger',
  'recall-overdue',
  'not-announced',
  'command-unknown',
  'note-not-kept',
  'retrieve-car',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

export interface AttentionView {
  kind: AttentionKind;
  /** Timestamp in the service's zone. */
  since: string;
  message: Sentence;
}

/** Why a fact is believed, its source, and since when (timestamp in the service's zone). */
export interface Evidence {
  grade: Grade;
  source: Source;
  at: string;
}

/** Facts that the view shows as plain values; why each is believed stands in `evidence`, under its path. */
export const plainFacts = [
  'company',
  'service',
  'productId',
  'createdAt',
  'pickup.address',
  'pickup.memo',
  'driver',
  'companion',
  'parking.memo',
  'parking.imageUrl',
  'parking.lotType',
  'driving.start',
  'driving.end',
  'dispatch.startedAt',
  'dispatch.completedAt',
  'recall.completedAt',
] as const;
export type PlainFact = (typeof plainFacts)[number];

export interface StaffView {
  staffName: string;
  staffPhone: string;
}

export interface PhotoView extends Evidence {
  hash: string;
  type: string;
  /** L14: taken of a car that has been replaced since. */
  outdated: boolean;
}

/** `pending`: on its way; `unknown`: it may stand among the car's memos. */
export type NoteOutcome = 'pending' | 'applied' | 'rejected' | 'unknown';

/** What was noted at the recall (F57-F59): becomes one memo of the car. */
export interface RecallNoteView {
  commandId: string;
  carId: number | null;
  by: string;
  at: string;
  /** Personal data (L60); null once the platform has it. */
  text: string | null;
  outcome: NoteOutcome;
  memoId: number | null;
  code: string | null;
}

/** The next reservation at risk, where the car is not back (F61). */
export interface NextAtRiskView {
  entry: {
    scheduleId: number;
    type: 'R' | 'S';
    reservationId: number | null;
    startAt: string;
    endAt: string;
  };
  /** Cars of the same product, free for its period and on sale; null where this is unknown. */
  candidates: CarFact[] | null;
  /** When both were looked up. */
  checkedAt: string;
}

/**
 * A hold of the car that one request accepts (F55, F56): from when its reason came up, for as long as the policy says.
 * Accepted later, it starts then and is as long, yet ends by `noLaterThan`. Timestamps in the service's zone.
 */
export interface HoldProposal {
  /** `{reason}-{reservationId}`: the same for as long as the reason holds. */
  proposalId: string;
  carId: number;
  startAt: string;
  endAt: string;
  /** Where the next entry of the car begins (F61): the platform refuses a hold that runs into it. */
  noLaterThan?: string;
  reason: 'retrieve-car' | 'overdue-return';
}

export interface BookingView {
  commandId: string;
  at: string;
  settledBy: Booking['settledBy'];
  status: string | null;
  carNumber: string | null;
}

/** One reservation as the API shows it; timestamps are RFC 3339 in the service's zone. */
export interface ReservationView {
  reservationId: number;
  /** Of two views of one reservation the one with the higher is the later. */
  sequence: number;
  status: {
    code: number | null;
    name: string;
    grade: Grade | null;
    source: Source | null;
    since: string | null;
  };
  /** A prediction, never a fact: what should come next, and by when. */
  expected: { code: number; by: string | null } | null;
  display: Display;
  /** Registration has been seen (L05: false while only adopted from another event). */
  registered: boolean;
  /** Where it was booked through this deployment (F36): the platform's string, raw, and the car it named. */
  booking?: BookingView;
  marks: string[];
  period: ({ start: string; end: string; changes: number } & Evidence) | null;
  car: ({ id: number; number: string | null; changes: number } & Evidence) | null;
  company: Company | null;
  service: Company | null;
  productId: number | null;
  createdAt: string | null;
  pickup: { address: string | null; memo: string | null };
  driver: Driver | null;
  companion: Companion | null;
  parking: { memo: string | null; imageUrl: string | null; lotType: number | null };
  driving: { start: string | null; end: string | null };
  dispatch: {
    staff: (StaffView & Evidence) | null;
    startedAt: string | null;
    parkingImage: PhotoView | null;
    carImage: PhotoView | null;
    completedAt: string | null;
  };
  recall: {
    staff: (StaffView & Evidence) | null;
    carImage: PhotoView | null;
    completedAt: string | null;
    note: RecallNoteView | null;
  };
  evidence: Partial<Record<PlainFact, Evidence>>;
  attention: AttentionView[];
  danger: NextAtRiskView | null;
  proposals: HoldProposal[];
  commands: CommandView[];
  /** Null: an earlier version wrote the view. */
  progress: Progress | null;
  /** The newest 16. */
  decisions: DecisionView[];
  closed: boolean;
}

/** What lists of open reservations show of one, and what they sort and filter it by. */
export interface ListRow extends Omit<ListFacts, 'attention'> {
  /** Of two rows of one reservation the one with the higher is the later. */
  sequence: number;
  /** Why the status is believed, and since when. */
  grade: Grade | null;
  since: Instant | null;
  productId: number | null;
  /** Open items, the gravest first. */
  attention: { kind: AttentionKind; since: Instant }[];
  /** The recommended action that staff take next. */
  next: Action | null;
  /** Commands that may have reached the platform, without an outcome. */
  unknownCommands: number;
  /** Commands that certainly had no effect yet: they wait for their turn, the platform or a key. */
  waitingCommands: number;
  /** The next reservation of the car is at risk (F61), and no person has resolved it. */
  atRisk: boolean;
  /** What is stored encrypted, or as a keyed hash alone (L60). */
  private: {
    carNumber: string | null;
    dispatchStaff: string | null;
    recallStaff: string | null;
    /** Names of driver and companion: by these and the staff's it is found, and never shown. */
    drivers: string[];
    /** Their other identities, by which an erasure finds it; absent from a worker of 0.3.0. */
    contacts?: Pick<Driver, 'phone' | 'licenseNumber'>[];
  };
}

/** What lists show of a reservation; goes to the search attributes (no personal data, L60). */
export interface ListFacts {
  status: number | null;
  carId: number | null;
  companyId: number | null;
  period: Period | null;
  attention: AttentionKind[];
}
