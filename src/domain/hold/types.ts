import type { AuditEntry } from '../shared/audit.js';
import type { Sentence } from '../shared/message.js';
import type { Ended } from '../shared/outcome.js';
import type { Instant, Period } from '../shared/time.js';

/** The request for a hold; the period is whole seconds. */
export interface HoldRequest {
  /** The caller's command id, or the id of the proposal that was accepted. */
  holdId: string;
  carId: number;
  period: Period;
  /** A person's text (L60), or the code of a proposal. */
  reason: string;
  withdrawFromSale: boolean;
  /** Whose proposal it was. */
  reservationId: number | null;
  by: string;
  /** Identifies equal requests. */
  mark: string;
}

/** One entry of the car's schedule. */
export interface ScheduleEntry extends Period {
  scheduleId: number;
  type: 'R' | 'S';
  reason: string;
}

/** An item of a list of which a field cannot be read that the step needs; it may be the one that is looked for. */
export interface Unread {
  /** Operation, path, what was expected and what came; no value. */
  unread: string;
}

export function isUnread(item: unknown): item is Unread {
  return typeof item === 'object' && item !== null && 'unread' in item;
}

/** What is in the way of a period: a reservation (R), or an entry made by staff (S). */
export interface Obstacle extends Period {
  scheduleId: number;
  type: 'R' | 'S';
  /** The hold of ours that the entry belongs to. */
  holdId: string | null;
}
/** The nearest free windows of the same length; null: none within 30 days. */
export interface FreePeriods {
  before: Period | null;
  after: Period | null;
}
/** Why the platform, or we, did not do something. */
export interface HoldRefused {
  code: string;
  message: Sentence;
  /** The platform's own text, where the wire profile declares it free of personal data. */
  platformMessage?: string;
  inTheWay?: Obstacle[];
  free?: FreePeriods;
}

/** Readings of the outcome of a lost request: two at most, with a wait between them. */
interface Lost {
  code: string;
  looks: number;
  lookAt: Instant;
}

/** The hold's entry in the platform's schedule, as far as it is known. */
export type Entry =
  | { kind: 'none' }
  /** POST was answered with E011: what is in the way, or is it our own? `wide`: asked of all cars, for no entry fits. */
  | { kind: 'blocked'; wide: boolean }
  /** The answer of POST was lost. */
  | ({ kind: 'sent' } & Lost)
  | { kind: 'placed'; scheduleId: number; period: Period; reason: string }
  /** The answer of PUT was lost; `period` and `reason` are those of before. */
  | ({
      kind: 'changing';
      scheduleId: number;
      period: Period;
      reason: string;
      to: { period: Period; reason: string };
    } & Lost)
  /** The answer of DELETE was lost. */
  | ({ kind: 'deleting'; scheduleId: number; period: Period; reason: string } & Lost)
  /** Deleted, by us or on the web site. */
  | { kind: 'gone'; scheduleId: number };

/**
 * What the hold knows of one product with the car. `on-sale`: to be withdrawn; `setting`: the answer to N was lost;
 * `ours`: it reads N, and we set it; `restoring`: it still read N, and Y is to be sent. The others are final:
 * `was-off` read N before we did anything, `changed` by a person since, `left` without the car, `untouched`.
 */
export interface SaleOf {
  productId: number;
  kind:
    | 'on-sale'
    | 'setting'
    | 'ours'
    | 'restoring'
    | 'restored'
    | 'was-off'
    | 'changed'
    | 'left'
    | 'untouched';
  looks?: number;
  lookAt?: Instant;
  /** Y was sent, and its answer lost: a Y is ours. */
  sentBack?: true;
}

/** A blocked step, retried with backoff, shown in `attention` from the third failure on. */
export interface Trouble {
  code: string;
  message: Sentence;
  since: Instant;
  tries: number;
  /** Null: not tried by itself; a person decides. */
  nextAt: Instant | null;
}
/** `products`: some that the platform lists cannot be looked into, for their id cannot be read; it holds up nothing. */
export type Topic = 'entry' | 'memo' | 'sale' | 'products';

export type HoldAction = 'create' | 'change' | 'release' | 'resolve';
/** One request on a hold; the outcomes of the newest 32 are stored. */
export interface HoldCommand {
  commandId: string;
  action: HoldAction;
  /** What was requested, to recognise equal requests. */
  asked: string;
  by: string;
  at: Instant;
  /** In the person's words (L60). */
  reason: string | null;
  outcome: 'out' | 'applied' | 'rejected';
  refused: HoldRefused | null;
}

/** A change that is on its way: the entry's new period and reason. */
interface PendingChange {
  commandId: string;
  period: Period;
  reason: string;
  /** E011: what is in the way is being read. */
  blocked: boolean;
}

/** An audit entry of a hold. */
export interface HoldAuditEntry extends AuditEntry {
  /** Of the hold, from 1: each number is stored once. */
  seq: number;
}

/** How a hold ended; `refused`: it never held the car; `resolved`: a person accepted it as it was. */
export type HoldEnd = 'refused' | 'ended' | 'released' | 'resolved';

/** All that a hold's workflow carries: plain JSON. */
export interface HoldState {
  version: 1;
  request: HoldRequest;
  zoneOffsetMinutes: number;
  createdAt: Instant;
  carNumber: string | null;
  /** The requested period, with all changes applied. */
  period: Period;
  reason: string;
  entry: Entry;
  /** Null: not written yet; a refusal or an unknown outcome is a trouble. */
  memoId: number | null;
  /** A person decided that there is none. */
  withoutMemo: boolean;
  /** The entry was there when the start came; a hold that begins at once has no need to look. */
  checked: boolean;
  sale: {
    products: SaleOf[];
    /** `due`: the list of products is to be read; then those still to be looked into. */
    scan: 'idle' | 'due' | number[];
    /** The start was reached. */
    begun: boolean;
    /** No hold that has ended by our start is still giving back: what reads N now was not ours to begin with. */
    isOurTurn: boolean;
    /** When to read it again. */
    askAt: Instant;
    /** Products that failed on their own: left alone until the trouble's next try. */
    aside?: number[];
  };
  change: PendingChange | null;
  /** Set: everything is being undone, or was, for this end and since then. */
  leaving: { end: HoldEnd; at: Instant } | null;
  refused: HoldRefused | null;
  end: HoldEnd | null;
  endedAt: Instant | null;
  troubles: Partial<Record<Topic, Trouble>>;
  commands: HoldCommand[];
  /** Lines that no row holds yet, and how many there were. */
  audit: HoldAuditEntry[];
  audited: number;
}

/** The next thing to do. One step at a time; those of several products go out together. */
export type HoldStep =
  | { do: 'read-car'; carId: number }
  | { do: 'add-entry'; carId: number; period: Period; reason: string }
  | { do: 'read-schedules'; carId: number; carNumber: string | null; range: Period }
  | { do: 'change-entry'; scheduleId: number; carId: number; period: Period; reason: string }
  | { do: 'delete-entry'; scheduleId: number }
  | { do: 'look-at-entry'; scheduleId: number }
  | { do: 'write-memo'; carId: number; content: string }
  | { do: 'ask-turn'; carId: number; holdId: string; before: Instant }
  | { do: 'list-products' }
  | { do: 'look-in-products'; carId: number; productIds: number[] }
  | { do: 'set-sale'; carId: number; saleYn: 'Y' | 'N'; productIds: number[] }
  /** Nothing to do until then, or until a request arrives. */
  | { do: 'wait'; until: Instant }
  | { do: 'end' };
export type Doing<D extends HoldStep['do']> = Extract<HoldStep, { do: D }>;

/** What a step reads or makes. */
export type StepEnd<T> = Ended<{ value: T }>;

/** How each step ended. */
export interface StepAnswers {
  'read-car': StepEnd<{ carNumber: string }>;
  'add-entry': StepEnd<{ scheduleId: number }>;
  'read-schedules': StepEnd<(ScheduleEntry | Unread)[]>;
  'change-entry': StepEnd<object>;
  'delete-entry': StepEnd<object>;
  'look-at-entry': StepEnd<{ period: Period; reason: string | null }>;
  'write-memo': Ended<{ memoId: number }>;
  /** Another hold of the car that has withdrawn it, and is not over yet. */
  /** `againMs`: in how long to ask again, where there was no answer; absent: soon. */
  'ask-turn': StepEnd<{ holdId: string | null }> & { againMs?: number };
  'list-products': StepEnd<(number | Unread)[]>;
  'look-in-products': { productId: number; answer: StepEnd<{ saleYn: 'Y' | 'N' } | null> }[];
  'set-sale': { productId: number; answer: StepEnd<object> }[];
}
export type Asking = keyof StepAnswers;
