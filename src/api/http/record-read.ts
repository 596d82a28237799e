import type { AuditAction, AuditData } from '../../domain/shared/audit.js';
import { hour } from '../../domain/shared/time.js';
import type { ApiDeps } from '../deps.js';

/**
 * Records that personal data was read: each reader and subject once an hour. Without that entry nothing is shown.
 * @param by a person, or the codec endpoint, which knows none
 * @param read `action` such as `reservation.read`, `subject` such as `reservation/17`
 */
export async function recordRead(
  { audit, clock = Date.now }: Pick<ApiDeps, 'audit' | 'clock'>,
  by: string,
  { action, subject, data = {} }: { action: AuditAction; subject: string; data?: AuditData },
): Promise<void> {
  const at = clock();
  const commandId = ['read', by, subject, Math.floor(at / hour)].join('.');
  await audit.record({ at, by, action, subject, reason: null, data, commandId });
}

/** The same of a reservation. */
export function recordReservationRead(
  deps: Pick<ApiDeps, 'audit' | 'clock'>,
  by: string,
  reservationId: number,
): Promise<void> {
  const subject = `reservation/${reservationId}`;
  return recordRead(deps, by, { action: 'reservation.read', subject, data: { reservationId } });
}
