import type { Instant } from '../shared/time.js';
import type { NoteOutcome } from './types.js';

/** What was noted at a recall, on its way to the car's memos (F57). */
export interface NoteRecord {
  commandId: string;
  /** The car believed when the recall was requested. */
  carId: number | null;
  by: string;
  /** When the recall was known to be complete. */
  at: Instant;
  /** Fingerprint of car and text. */
  key: string;
  /** Personal data (L60); deleted once the platform has it. */
  text: string | null;
  outcome: NoteOutcome;
  memoId: number | null;
  code: string | null;
  settledAt: Instant | null;
  /** Times in a row that the platform took no request. */
  waits: number;
  nextTryAt: Instant | null;
}
