import { type Backoff, backoffMs } from '../shared/backoff.js';
import { fingerprint } from '../shared/hash.js';
import type { Ended, Outcome } from '../shared/outcome.js';
import { day, hour, type Instant, minute, stamp } from '../shared/time.js';
import { reconcile } from './attention.js';
import { bytesOf, withinBudget } from './bounds.js';
import { message } from './messages/message.js';
import type { NoteRecord } from './note-record.js';
import type { CommandRecord, ReservationState } from './state.js';
import { addEntry, follow, type NewEntry, type Step, stepTo } from './timeline.js';
import type { RecallNoteView } from './types.js';

/** F58: until when the platform is asked to take it. */
const retryWindowMs = day;
const rests: Readonly<Backoff> = { firstMs: 5 * minute, longestMs: hour };
/** Those that are over; one that is still to be written is never dropped, nor cut. */
const mostNotes = 2;
/** Bytes of their texts together: the newest in full. */
const mostTextBytes = 1_000;

/** A memo to write now; its text names the reservation, so that no other text is like it. */
export interface NoteToWrite {
  commandId: string;
  at: Instant;
  carId: number;
  content: string;
  writerName: string;
  /** How often it was held back. */
  waits: number;
}

/** F58: a recall with a note took effect. The same words about the same car are one memo. */
export function storeNote(state: ReservationState, record: CommandRecord, now: Instant): ReservationState {
  const { commandId, carId, by, body } = record;
  const text = body?.note;
  const { notes = [] } = state;
  if (text === undefined) return state;
  const key = fingerprint([carId, text]);
  if (notes.some((one) => one.key === key)) return state;
  const pending = { outcome: 'pending', code: null, settledAt: null } as const;
  const nowhere = { outcome: 'rejected', code: 'CAR_UNKNOWN', settledAt: now } as const;
  const ended = carId === null ? nowhere : pending;
  const note: NoteRecord = {
    commandId,
    carId,
    by,
    at: now,
    key,
    text,
    memoId: null,
    waits: 0,
    nextTryAt: null,
    ...ended,
  };
  return { ...state, notes: limitNotes([...notes, note]) };
}

function limitNotes(notes: NoteRecord[]): NoteRecord[] {
  const over = notes.filter(isOver).slice(-mostNotes);
  const shortened = withinBudget(
    over,
    mostTextBytes,
    ({ text }) => bytesOf(text),
    (old) => ({ ...old, text: null }),
  );
  return notes.flatMap((one) => (isOver(one) ? (shortened[over.indexOf(one)] ?? []) : one));
}
function isOver({ outcome }: NoteRecord): boolean {
  return outcome !== 'pending';
}

/** The note to write, if one is due. */
export function noteDue(state: ReservationState): NoteToWrite | null {
  const due = state.notes?.find((one) => !isOver(one) && (one.nextTryAt ?? 0) <= state.lookedAt);
  if (due === undefined || due.carId === null) return null;
  const { commandId, at, carId, text, by, waits } = due;
  const content = `[reservation ${state.reservationId}] ${text}`;
  return { commandId, at, carId, content, writerName: by, waits };
}

/** When a note that waits is tried again. */
export function noteTurns({ notes = [] }: ReservationState): Instant[] {
  return notes.flatMap((one) => (isOver(one) ? [] : (one.nextTryAt ?? [])));
}

/** L47: a reservation does not close before its notes have ended; each does within a day. */
export function hasOpenNote({ notes = [] }: ReservationState): boolean {
  return notes.some((one) => !isOver(one));
}

/** Applies the outcome of a note (F58, F59); one that has ended stays as it is. */
export function applyNoteAnswer(
  state: ReservationState,
  commandId: string,
  answer: Outcome<{ memoId: number }>,
  now: Instant,
): Step {
  const note = state.notes?.find((one) => one.commandId === commandId);
  if (note === undefined || isOver(note)) return stepTo(state);
  const after =
    answer.outcome === 'held-back' ? holdBackNote(note, answer.code, now) : endNote(note, answer, now);
  const notes = (state.notes ?? []).map((one) => (one === note ? after : one));
  const next = { ...state, notes: limitNotes(notes) };
  const isOnceMore = after.outcome === 'pending' && note.code === after.code;
  const recorded = isOnceMore ? stepTo(next) : addEntry(stepTo(next), now, entryOf(after));
  return follow(recorded, (s) => reconcile(s, now));
}

function holdBackNote(note: NoteRecord, code: string, now: Instant): NoteRecord {
  const nextTryAt = now + backoffMs(note.waits + 1, rests);
  if (nextTryAt > note.at + retryWindowMs)
    return endNote(note, { outcome: 'rejected', code, message: '' }, now);
  return { ...note, waits: note.waits + 1, code, nextTryAt };
}

function endNote(note: NoteRecord, answer: Ended<{ memoId: number }>, now: Instant): NoteRecord {
  const over = { ...note, outcome: answer.outcome, settledAt: now, nextTryAt: null };
  return answer.outcome === 'applied'
    ? { ...over, text: null, memoId: answer.memoId, code: null }
    : { ...over, code: answer.code };
}

function entryOf({ commandId, carId, outcome, memoId, code }: NoteRecord): NewEntry {
  const note = { carId, outcome, memoId, code };
  const rule = outcome === 'pending' || outcome === 'applied' ? 'F58' : 'F59';
  return { kind: 'command', rule, messages: [message('note', note)], data: { commandId, ...note } };
}

/** The newest note that is no memo, else the newest, as the view shows it; null where none was given. */
export function noteView({ notes = [], policy }: ReservationState): RecallNoteView | null {
  const note = notes.findLast(({ outcome }) => outcome !== 'applied') ?? notes.at(-1);
  if (note === undefined) return null;
  const { commandId, carId, by, at, text, outcome, memoId, code } = note;
  return { commandId, carId, by, at: stamp(at, policy.zoneOffsetMinutes), text, outcome, memoId, code };
}
