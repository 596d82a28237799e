import type { AlertKind } from '../schema.js';

const callbacks = '/in';
const places: Readonly<Partial<Record<AlertKind, string>>> = {
  'intake-silent': callbacks,
  'intake-backlog': callbacks,
  'intake-unjudged': callbacks,
  'intake-dead-letters': '/in?view=dead',
  'outbox-dead-letters': '/in?view=dead',
  'booking-unknown': '/in?view=bookings',
  'undiscovered-reservations': '/in?view=findings',
  'reconciliation-stuck': '/in?view=findings',
  'hold-stuck': '/cars',
};

/** The path at the console's address that shows what an alert is about. */
export const placeOfAlert = (kind: AlertKind): string => places[kind] ?? '/';
export const placeOfReservation = (reservationId: number): string => `/r/${reservationId}`;
