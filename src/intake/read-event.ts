import type { ReservationEvent } from '../lifecycle/types.js';
import { CodecError, UnknownKeyError } from '../sealing/errors.js';
import type { Sealer } from '../sealing/sealer.js';
import { withoutCoding } from './content-coding.js';
import type { CallbackWire } from './decode.js';
import { normalise, type StoredEvent } from './normalise.js';

/** A stored event as the table holds it: encrypted, and as it was sent. */
export interface SealedEvent extends Omit<StoredEvent, 'raw'> {
  sealed: Uint8Array;
  /** Its `Content-Encoding`. */
  coding: string | undefined;
}

/** What becomes of a stored event that is to go to its workflow. */
export type ReadEvent =
  | { event: ReservationEvent }
  /** The profile cannot read it (L63). */
  | { event: null }
  /** It cannot be decrypted; `keyId`: for want of this key. */
  | { fault: CodecError['code']; keyId?: string };

/** Opens and reads a stored event. Total. */
export function readEvent(
  row: SealedEvent,
  { wire, sealer }: { wire: CallbackWire; sealer: Sealer },
): ReadEvent {
  const { sealed, coding, ...stored } = row;
  try {
    const raw = withoutCoding(sealer.open(sealed), coding);
    return { event: raw === null ? null : normalise(wire, { ...stored, raw }) };
  } catch (error) {
    // whatever else a profile's values make go wrong, the event is one that it cannot read
    if (error instanceof UnknownKeyError) return { fault: error.code, keyId: error.keyId };
    return error instanceof CodecError ? { fault: error.code } : { event: null };
  }
}
