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
  'forward-stuck': board,
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
 * @param text of a hold: its data have the car
 */
export function placeOfAlert(kind: AlertKind, text: Sentence | null): string {
  const place = places[kind] ?? board;
  const carId = typeof text === 'object' && text !== null && 'carId' in text.data && text.data.carId;
  return place === cars && carId ? `${cars}?car=${carId}` : place;
}
export const placeOfReservation = (reservationId: number): string => `/r/${reservationId}`;
