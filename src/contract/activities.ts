import type { Answer, CommandBody } from '../lifecycle/index.js';
import type { BookingResult, BookingStart } from './booking.js';
import type { CaseFile, RecordInput } from './reservation.js';

/** What one attempt of a staff action sends. */
export interface CommandAttempt {
  reservationId: number;
  /** Business identity of the action (`reservationId:action:commandId`), the same for every attempt. */
  idempotencyKey: string;
  body: CommandBody;
}
type SendCommand = (attempt: CommandAttempt) => Promise<Answer>;

/** A booking attempt ends, or says that the platform asks to wait (429, or a connection that never opened). */
export type BookingAttempt = BookingResult | { outcome: 'wait'; code: string; retryAfterMs?: number };

/** The activities that a worker registers, by the names that stand in histories. */
export interface Activities {
  dispatchStaff: SendCommand;
  dispatchStart: SendCommand;
  dispatchParkingImage: SendCommand;
  dispatchCarImage: SendCommand;
  dispatchComplete: SendCommand;
  recallStaff: SendCommand;
  recallCarImage: SendCommand;
  recallComplete: SendCommand;
  book(start: BookingStart): Promise<BookingAttempt>;
  /** Writes verdicts and timeline rows in one transaction; idempotent. */
  record(input: RecordInput): Promise<void>;
  /** Keeps what is left of a closed reservation; idempotent. */
  closeCase(file: CaseFile): Promise<void>;
}
export type CommandActivity = Exclude<keyof Activities, 'book' | 'record' | 'closeCase'>;
