import type { FastifyRequest } from 'fastify';
import { hour } from '../../domain/shared/time.js';
import type { ApiDeps } from '../deps.js';
import { callerOf } from './auth.js';

/**
 * Records that a person read personal data of a closed reservation: each person and subject once an hour. Without that entry
 * nothing is shown.
 * @param action such as `reservation.read`
 * @param subject such as `reservation/17`
 */
export async function recordRead(
  { audit, clock = Date.now }: Pick<ApiDeps, 'audit' | 'clock'>,
  request: FastifyRequest,
  { action, subject, reservationId }: { action: string; subject: string; reservationId: number },
): Promise<void> {
  const { name: by } = callerOf(request);
  const at = clock();
  const commandId = ['read', by, subject, Math.floor(at / hour)].join('.');
  await audit.record({ at, by, action, subject, reason: null, data: { reservationId }, commandId });
}
