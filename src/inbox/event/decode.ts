import type { Callback, CallbackKind } from '../../platform/model.js';
import type { WireProfile } from '../../platform/profile.js';

/** What the callbacks of one profile look like. */
export type CallbackWire = WireProfile['callbacks'];

/**
 * Reads a callback's bytes through the wire profile. Total: whatever the bytes are, it returns.
 * @returns null where they are no callback of this kind (L63).
 */
export function readCallback(wire: CallbackWire, kind: CallbackKind, raw: Uint8Array): Callback | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
    return wire.decode(kind, JSON.parse(text));
  } catch {
    return null;
  }
}

/** The reservation that a callback is about; null where that is no id. */
export function reservationIdOf(callback: Callback): number | null {
  const id = 'reservation' in callback ? callback.reservation.reservationId : callback.reservationId;
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** The same of a callback's bytes; null too where they cannot be read. Total. */
export function readReservationId(wire: CallbackWire, kind: CallbackKind, raw: Uint8Array): number | null {
  const callback = readCallback(wire, kind, raw);
  return callback === null ? null : reservationIdOf(callback);
}
