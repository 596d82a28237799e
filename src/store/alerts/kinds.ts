/** Kinds of alert that belong to no reservation. */
export const alertKinds = [
  'role-suspended',
  'intake-silent',
  'intake-backlog',
  'intake-unjudged',
  'intake-dead-letters',
  'outbox-dead-letters',
  'forward-stuck',
  'booking-unknown',
  'hold-stuck',
  'undiscovered-reservations',
  'reconciliation-stuck',
  'workflow-stuck',
  'non-determinism',
  'tasks-late',
  'slots-exhausted',
  'personal-data-overdue',
] as const;
export type AlertKind = (typeof alertKinds)[number];
