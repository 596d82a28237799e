import { bodyOf } from '../actions/send-action.js';
import { receive } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import type { Received } from '../api/read-answer.js';
import type { Me } from '../api/types.js';
import type { Entry } from './entry.js';

/** Sends an entry with its key. */
export function sendEntry(
  { action, reservationId, fields, key }: Entry,
  photo: ArrayBuffer | undefined,
): Promise<Received> {
  const body = bodyOf({ fields, ...(photo && { photo: new Blob([photo], { type: 'image/jpeg' }) }) });
  return receive(endpoints[action], { params: { id: reservationId }, body, key });
}

export function readReservation(id: number): Promise<Received> {
  return receive(endpoints.reservation, { params: { id } });
}

/** Who is logged in, by the service itself. */
export async function readUser(): Promise<
  { is: 'in'; name: string; me: Me } | { is: 'login' } | { is: 'offline' }
> {
  const { status, body } = await receive(endpoints.me, {});
  if (status !== 200) return { is: status === 401 ? 'login' : 'offline' };
  const user = body as Me;
  return { is: 'in', name: user.name, me: user };
}
