import type { Callback, CallbackKind } from '../platform/model.js';
import type { WireProfile } from '../platform/profile.js';

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

/** The reservation that a callback is about, or null where it cannot be read. Total. */
export function readReservationId(wire: CallbackWire, kind: CallbackKind, raw: Uint8Array): number | null {
  const callback = readCallback(wire, kind, raw);
  const id = callback === null ? null : reservationIdOf(callback);
  return id !== null && Number.isSafeInteger(id) && id > 0 ? id : null;
}

function reservationIdOf(callback: Callback): number {
  return 'reservation' in callback ? callback.reservation.reservationId : callback.reservationId;
}
