import type { AlertKind } from '../schema.js';

const known: Readonly<Record<AlertKind, true>> = {
  'role-suspended': true,
  'intake-silent': true,
  'intake-backlog': true,
  'intake-unjudged': true,
  'intake-dead-letters': true,
  'outbox-dead-letters': true,
  'forward-stuck': true,
  'booking-unknown': true,
  'hold-stuck': true,
  'undiscovered-reservations': true,
  'reconciliation-stuck': true,
  'workflow-stuck': true,
  'non-determinism': true,
  'tasks-late': true,
  'slots-exhausted': true,
  'personal-data-overdue': true,
};

export const alertKinds = Object.keys(known) as AlertKind[];
