import { reservationIdOf } from '../../contract/names.js';
import type { Sentence } from '../../domain/shared/message.js';
import type { AlertKind } from './kinds.js';

const board = '/';
const cars = '/cars';
const callbacks = '/in';
const deadLetters = '/in?view=dead';
const findings = '/in?view=findings';

/** A kind about which no other screen shows more is on the board, which lists all alerts. */
const places: Readonly<Record<AlertKind, string>> = {
  'role-suspended': board,
  'intake-silent': callbacks,
  'intake-backlog': callbacks,
  'intake-unjudged': callbacks,
  'intake-dead-letters': deadLetters,
  'outbox-dead-letters': deadLetters,
  'forward-stuck': callbacks,
  'booking-unknown': '/in?view=bookings',
  'hold-stuck': cars,
  'undiscovered-reservations': findings,
  'reconciliation-stuck': findings,
  'workflow-stuck': board,
  'non-determinism': board,
  'tasks-late': board,
  'slots-exhausted': board,
  'personal-data-overdue': board,
};

/**
 * The path at the console's address that shows what an alert is about; a later release may have stored other kinds.
 * @param text of a hold: its data have the car; of workflows that are blocked: the first of them
 */
export function placeOfAlert(kind: AlertKind, text: Sentence | null): string {
  const place = places[kind] ?? board;
  const carId = typeof text === 'object' && text !== null && 'carId' in text.data && text.data.carId;
  if (place === cars && carId) return `${cars}?car=${carId}`;
  return stuckReservation(text) ?? place;
}

function stuckReservation(text: Sentence | null): string | undefined {
  const first = typeof text === 'object' && text !== null && 'first' in text.data ? text.data.first : [];
  const ids = Array.isArray(first) ? first.map((workflowId) => reservationIdOf(String(workflowId))) : [];
  const id = ids.find((one) => one !== undefined);
  return id === undefined ? undefined : placeOfReservation(id);
}

export const placeOfReservation = (reservationId: number): string => `/r/${reservationId}`;
