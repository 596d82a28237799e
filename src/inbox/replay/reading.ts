import { ZodError } from 'zod';
import type { ReservationEvent } from '../../domain/reservation/types.js';
import type { SealedEvent } from '../../store/callbacks/sealed-event.js';
import type { Unreadable } from '../../store/callbacks/types.js';
import type { CallbackWire } from '../event/decode.js';
import { type ReadingTools, readEvent } from '../event/read-event.js';

/** A stored event as today's code and profile read it: an event, or the reason why there is none. */
export type Reading = {
  /** Without its content coding, where that can be taken off; null where it cannot be decrypted or is gone. */
  body: Uint8Array | null;
  /** Today's; null where it cannot be read. */
  reservationId: number | null;
} & ({ event: ReservationEvent; unreadable: null } | { event: null; unreadable: Unreadable });

const fieldsNamed = 20;

/** Reads a stored event as the relay does, and says why where it cannot. Total. */
export function read(
  { sealed, ...row }: Omit<SealedEvent, 'sealed'> & { sealed: Uint8Array | null },
  tools: ReadingTools,
): Reading {
  const nothing = { body: null, reservationId: null, event: null };
  if (sealed === null) return { ...nothing, unreadable: { code: 'BODY_REMOVED', fields: [] } };
  const taken = readEvent({ ...row, sealed }, tools);
  if ('fault' in taken) return { ...nothing, unreadable: { code: taken.fault, fields: [] } };
  if (taken.event !== null) return { ...taken, unreadable: null };
  const { body } = taken;
  const unreadable: Unreadable = taken.isCoded
    ? { code: 'CONTENT_CODING_UNREADABLE', fields: [] }
    : whyUnreadable(tools.wire, row.channel, body);
  return { ...nothing, body, unreadable };
}

function whyUnreadable(wire: CallbackWire, channel: SealedEvent['channel'], body: Uint8Array): Unreadable {
  const text = textOf(body);
  if (text === null) return { code: 'NOT_UTF8', fields: [] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { code: 'NOT_JSON', fields: [] };
  }
  try {
    wire.decode(channel, json);
    return { code: 'NOT_IN_PROFILE', fields: [] };
  } catch (error) {
    const issues = error instanceof ZodError ? error.issues : [];
    const places = issues.map(({ path, message }) => ({ field: path.join('.'), message }));
    const fields = [...new Set(places.map(({ field }) => field))].slice(0, fieldsNamed);
    const problems = places.map(({ field, message }) => `${field || 'the whole'}: ${message}`);
    return { code: 'NOT_IN_PROFILE', fields, problems: [...new Set(problems)].slice(0, fieldsNamed) };
  }
}

/** Null where the bytes are no UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
