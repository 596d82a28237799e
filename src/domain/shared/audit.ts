import type { Instant } from './time.js';

/** Ids, codes and counts behind an audit entry, such as `before`, `after`, `outcome`; never personal data (L60). */
export type AuditData = Record<string, string | number | boolean | null>;

/** What persons do beside the steps of a reservation, and which personal data they read. */
export const auditActions = [
  'attention.claim',
  'attention.release',
  'booking.create',
  'booking.erase',
  'booking.read',
  'booking.resolve',
  'car.memo',
  'codec.read',
  'finding.adopt',
  'hold.change',
  'hold.create',
  'hold.end',
  'hold.erase',
  'hold.read',
  'hold.release',
  'hold.resolve',
  'inbox.read',
  'inbox.replay',
  'outbox.resend',
  'photo.read',
  'product.sale-status',
  'recall.note',
  'reservation.erase',
  'reservation.read',
  'sale-status.restore',
  'sale-status.withdraw',
  'shift.accept',
  'shift.note',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** What a person did, as the audit stores it. */
export interface AuditEntry {
  at: Instant;
  /** The token's name. */
  by: string;
  action: AuditAction;
  /** To what, such as `car/1001`; empty where the action has none. Never personal data (L60). */
  subject: string;
  /** The reason that the person gave; null where the action requires none. */
  reason: string | null;
  data: AuditData;
}

/** The car that an entry names: its subject, or in its data, as a hold does; null: none. */
export function carOf({ subject, data }: Pick<AuditEntry, 'subject' | 'data'>): number | null {
  const named = Number(data.carId ?? /^car\/(\d{1,15})$/.exec(subject)?.[1]);
  return Number.isSafeInteger(named) && named > 0 ? named : null;
}
