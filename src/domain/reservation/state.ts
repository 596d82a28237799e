import type { Instant, Period } from '../shared/time.js';
import type { Fact } from './facts.js';
import type { LookAhead } from './look-ahead-record.js';
import type { NoteRecord } from './note-record.js';
import type {
  Action,
  AttentionKind,
  Booking,
  CarFact,
  CommandBody,
  CommandState,
  CommandView,
  Companion,
  Driver,
  Grade,
  PhotoRef,
  Policy,
  ScheduleEntry,
  StaffView,
} from './types.js';

/** One source's report that a status was reached. */
export interface StatusReport {
  /** Inbox row of the event, id of the command, or name of the person. */
  source: string;
  /** First receipt. */
  at: Instant;
  /** When it was reached, where the profile carries it; the newest. */
  changedAt: Instant | null;
}
/** Everything that speaks for one status code, by grade. */
export interface StatusEvidence {
  code: number;
  observed: StatusReport | null;
  asserted: StatusReport | null;
  commanded: StatusReport | null;
  /** The platform accepted an action that only this status allows (L20). */
  inferred: StatusReport | null;
}

/** The mutable facts of a reservation; null until a value is reported. */
export interface Facts {
  period: Fact<Period> | null;
  car: Fact<CarFact> | null;
  company: Fact<{ id: number; name: string | null }> | null;
  service: Fact<{ id: number; name: string | null }> | null;
  productId: Fact<number> | null;
  createdAt: Fact<Instant> | null;
  driver: Fact<Driver> | null;
  companion: Fact<Companion | null> | null;
  pickupAddress: Fact<string> | null;
  pickupMemo: Fact<string> | null;
  parkingMemo: Fact<string> | null;
  parkingImageUrl: Fact<string> | null;
  parkingLotType: Fact<number> | null;
  drivingStart: Fact<Instant> | null;
  drivingEnd: Fact<Instant> | null;
}

/** A car event: it carries no status, so it stands beside the rungs (G29). */
export interface CarChange {
  from: number | null;
  to: CarFact;
  source: string;
  at: Instant;
  changedAt: Instant | null;
  arrival: number;
}

/** The newest applied staff assignment or photo of an action. */
export interface StepDone {
  action: Action;
  /** Corroborated where a callback settled the command: it shows that something was done, not what. */
  grade: Grade;
  /** Id of the command, or name of the person who settled it. */
  source: string;
  at: Instant;
  staff: StaffView | null;
  photo: PhotoRef | null;
  /** L14: the car believed when the photo was taken. */
  carId: number | null;
}

export interface CommandRecord {
  commandId: string;
  action: Action;
  /** Fingerprint of action and body: the same id with another is refused (L21). */
  content: string;
  /** Null once the outcome is final: nothing will be sent again. */
  body: CommandBody | null;
  by: string;
  override: { reason: string } | null;
  at: Instant;
  state: CommandState;
  /** Requests that may have reached the platform. */
  attempts: number;
  /** Waits in a row: 429, unreachable, a key that does not work. */
  waits: number;
  /** Those of the waits after which the next attempt has the same id; absent: none. */
  sameIds?: number;
  /** An attempt ended unknown: from then on it may have happened. */
  doubtful: boolean;
  /** The platform refused it for the reservation's state (L29). */
  refusedForState: boolean;
  nextTryAt: Instant | null;
  /** L30: it waits for its role's key: `held` until then, `restored` when the key works and nothing was sent yet. */
  role: 'held' | 'restored' | null;
  settledAt: Instant | null;
  settledBy: CommandView['settledBy'];
  /** Who stated its outcome (L24); absent: no person did, or one did before 0.4.0. */
  resolvedBy?: string;
  code: string | null;
  message: CommandView['message'];
  /** The platform's own text of a refusal; absent: there is none to show. */
  platformMessage?: string;
  /** L27: the steps that the override left out. */
  skipped: Action[];
  /** L14: the car believed when it was requested: a photo shows that one. */
  carId: number | null;
  /** L24, parking image: fingerprint of the image URL known when it was sent; `unclear` where another is due. */
  urlBefore: string | null;
}

/** The booking that became this reservation. */
interface BookingRecord {
  commandId: string;
  /** When it was known. */
  at: Instant;
  settledBy: Booking['settledBy'];
  /** The platform's string, raw (F37); null where no answer came. */
  status: string | null;
  carNumber: string | null;
}

/** An attention item that was raised and whose cause still holds. */
export interface RaisedAttention {
  kind: AttentionKind;
  /** What exactly it is about, and since when: a further cause of the same kind raises it again. */
  causes: Record<string, Instant>;
  /** A person resolved it while its cause holds. */
  resolved: { at: Instant; by: string } | null;
}

/** A person's decision and the reason for it. */
export interface Decision {
  at: Instant;
  by: string;
  about: 'facts' | AttentionKind;
  reason: string;
}

/** What one reservation's run carries: evidence and decisions, plain JSON, bounded. */
export interface ReservationState {
  version: 1;
  /** Of two states of the reservation the one with the higher is the later. Absent in runs of before 0.4.0: 0. */
  sequence?: number;
  reservationId: number;
  policy: Policy;
  /** When the first news of it came. */
  firstSeenAt: Instant;
  /** The latest instant at which deadlines took effect. */
  lookedAt: Instant;
  /** Timeline entries so far. */
  seq: number;
  /** Events applied so far: their order of arrival. */
  arrivals: number;
  registered: boolean;
  /** F36: absent where it was not booked through this deployment, or is not notified yet. */
  booking?: BookingRecord;
  statuses: StatusEvidence[];
  /** L10: statuses that a person's assertion set aside, and when: earlier reports of them no longer count. */
  overruled: { code: number; at: Instant }[];
  /** L11, newest 8. */
  unknownStatuses: { code: number; at: Instant }[];
  facts: Facts;
  carChanges: CarChange[];
  /** L19: the newest reading of the platform's schedule; `entry` null: none is the reservation's. */
  scheduled?: { at: Instant; entry: ScheduleEntry | null; confirmed: boolean };
  /** L06: when a registration came with a status other than 5. */
  specViolatedAt: Instant | null;
  /** L61: names of fields that broke the specification's form. */
  malformed: string[];
  /** Fingerprints of the newest 256 event ids (L01). */
  seen: string[];
  /** Fingerprint of the content of the newest event per rung and channel (L01). */
  newest: Record<string, string>;
  steps: StepDone[];
  commands: CommandRecord[];
  attention: RaisedAttention[];
  /** Why people asserted facts or resolved items, newest 16; the reasons are personal data (L60). */
  decisions: Decision[];
  /** F60: the end that was moved later while the customer had the car. */
  extendedTo?: Instant;
  /** F60: what comes after it in the schedule of its car. */
  lookedAhead?: LookAhead;
  /** F57: what was noted at recalls, newest last. */
  notes?: NoteRecord[];
  /** L47: when the timeline recorded that it is closed; null while it is not. */
  closedAt: Instant | null;
}

/** The state of a reservation that nothing is known of yet. */
export function newReservation(reservationId: number, policy: Policy, now: Instant): ReservationState {
  return {
    version: 1,
    reservationId,
    policy,
    firstSeenAt: now,
    lookedAt: now,
    seq: 0,
    arrivals: 0,
    registered: false,
    statuses: [],
    overruled: [],
    unknownStatuses: [],
    facts: {
      period: null,
      car: null,
      company: null,
      service: null,
      productId: null,
      createdAt: null,
      driver: null,
      companion: null,
      pickupAddress: null,
      pickupMemo: null,
      parkingMemo: null,
      parkingImageUrl: null,
      parkingLotType: null,
      drivingStart: null,
      drivingEnd: null,
    },
    carChanges: [],
    specViolatedAt: null,
    malformed: [],
    seen: [],
    newest: {},
    steps: [],
    commands: [],
    attention: [],
    decisions: [],
    closedAt: null,
  };
}

/** The same reservation under another policy (it reaches open runs at continue-as-new). */
export function withPolicy(state: ReservationState, policy: Policy): ReservationState {
  return { ...state, policy };
}
