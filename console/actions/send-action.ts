import { endpoints } from '../api/endpoints.js';
import type { Action } from '../api/types.js';
import { resizePhoto } from '../photos/resize.js';
import { reservationResource } from '../state/reservation.js';
import type { Write } from '../state/write.js';
import { digitsOf } from './phone.js';

/** What a user gives with an action. */
export interface ActionInput {
  photo?: Blob;
  /** Text fields of the body; empty ones are left out. */
  fields?: Record<string, string>;
  /** Sends a step that the guards would refuse (L20, L27). */
  override?: boolean;
}

/** Sends one action; the reservation in the answer is shown at once. */
export async function sendAction(
  write: Write,
  id: number,
  action: Action,
  input: ActionInput = {},
): Promise<void> {
  const request = { params: { id }, body: toBody(input) };
  await write.send(endpoints[action], request, (reservation) => reservationResource(id).accept(reservation));
}

/** The same, with its photo made small. */
export async function toBody({ photo, ...input }: ActionInput): Promise<unknown> {
  return bodyOf({ ...input, ...(photo && { photo: await resizePhoto(photo) }) });
}

/** The body of an action (G13-G15), as the API takes its values; its photo is resized before. */
export function bodyOf({ photo, fields = {}, override = false }: ActionInput): unknown {
  const given = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, name === 'staffPhone' ? digitsOf(value) : value] as const);
  if (photo === undefined) {
    const values = given.map(([name, value]) => [name, name === 'parkingLotType' ? Number(value) : value]);
    return { ...Object.fromEntries(values), ...(override && { override }) };
  }
  const form = new FormData();
  for (const [name, value] of given) form.set(name, value);
  if (override) form.set('override', 'true');
  form.set('image', photo, 'photo.jpg');
  return form;
}
