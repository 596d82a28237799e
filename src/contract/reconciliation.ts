import type { DatedSlice, ReadingPeriod, UnreadOf } from '../domain/reconciliation/index.js';

export const reconciliationWorkflow = 'reconciliation';
/** Of the Temporal Schedule that starts it, and the stem of the ids of its runs. */
export const reconciliationId = 'reconciliation';

/** Start argument of the reconciliation workflow: the period of the schedule that it reads. */
export interface ReconciliationStart {
  window: ReadingPeriod;
}

/** One request of a reading. */
interface SliceInput {
  /** The run that reads. */
  run: string;
  /** Its place in the period, from 0. */
  index: number;
  slice: DatedSlice;
}

/** What a reading is compared by. `at`: the instant at which it began. */
export interface CompareInput {
  run: string;
  at: number;
  slices: (DatedSlice & { unread?: UnreadOf })[];
}

/** Counts of one reconciliation. */
export interface ReconciliationResult {
  /** R entries read, each once. */
  entries: number;
  /** Reservations that were compared with them, open and ended. */
  reservations: number;
  agree: number;
  differ: number;
  missing: number;
  undiscovered: number;
  /** Reservations that are notified. */
  told: number;
}

/** What a request read. A number: how many entries, and all of them could be read. */
export type SliceCount = number | { entries: number; unread: UnreadOf };

/** On the queue of long scans: one request, whose R entries are stored for the comparison. */
export interface SliceActivity {
  readScheduleSlice(input: SliceInput): Promise<SliceCount>;
}

/** Each may run twice. */
export interface ReconciliationActivities {
  compareSchedule(input: CompareInput): Promise<ReconciliationResult>;
  /** Alerts operations of a reading that failed, or does not end (F51); the next that is compared clears it. */
  reconciliationStuck(stuck: { at: number; code: string }): Promise<void>;
  /** Notifies some of the waiting reservations, in order of their ids. The result is the last id; null: none is left. */
  tellReservations(place: { after: number }): Promise<number | null>;
}
