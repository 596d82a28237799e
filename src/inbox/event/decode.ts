import { ZodError } from 'zod';
import type { Callback, CallbackKind } from '../../platform/model.js';
import type { WireProfile } from '../../platform/profile.js';
import type { Unreadable } from '../../store/callbacks/types.js';

/** The form of callbacks in one wire profile. */
export type CallbackWire = WireProfile['callbacks'];

const fieldsNamed = 20;

/**
 * Reads a callback's bytes through the wire profile. Never throws.
 * @returns `unreadable`: why they are no callback of this kind (L63)
 */
export function decodeCallback(
  wire: CallbackWire,
  kind: CallbackKind,
  raw: Uint8Array,
): { callback: Callback; unreadable: null } | { callback: null; unreadable: Unreadable } {
  const failed = (unreadable: Unreadable) => ({ callback: null, unreadable });
  const text = textOf(raw);
  if (text === null) return failed({ code: 'NOT_UTF8', fields: [] });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failed({ code: 'NOT_JSON', fields: [] });
  }
  try {
    return { callback: wire.decode(kind, json), unreadable: null };
  } catch (error) {
    return failed(notInProfile(error));
  }
}

function notInProfile(error: unknown): Unreadable {
  if (!(error instanceof ZodError)) return { code: 'NOT_IN_PROFILE', fields: [], problems: [] };
  const fields = [...new Set(error.issues.map(({ path }) => path.join('.')))];
  return {
    code: 'NOT_IN_PROFILE',
    fields: fields.slice(0, fieldsNamed),
    problems: error.issues.slice(0, fieldsNamed),
  };
}

/** Null where the bytes are no UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The reservation that a callback is about; null where that is no id. */
export function reservationIdOf(callback: Callback): number | null {
  const id = 'reservation' in callback ? callback.reservation.reservationId : callback.reservationId;
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** The same, from a callback's bytes; null also where they cannot be read. Never throws. */
export function readReservationId(wire: CallbackWire, kind: CallbackKind, raw: Uint8Array): number | null {
  const { callback } = decodeCallback(wire, kind, raw);
  return callback === null ? null : reservationIdOf(callback);
}
