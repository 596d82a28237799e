import type { AlertKind } from '../db/schema.js';

const known: Readonly<Record<AlertKind, true>> = {
  'role-suspended': true,
  'intake-silent': true,
  'intake-backlog': true,
  'intake-dead-letters': true,
  'forward-stuck': true,
  'booking-unknown': true,
  'hold-stuck': true,
  'undiscovered-reservations': true,
  'reconciliation-stuck': true,
};

export const alertKinds = Object.keys(known) as AlertKind[];
