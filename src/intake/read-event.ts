import type { ReservationEvent } from '../lifecycle/types.js';
import { type CodecError, UnknownKeyError } from '../sealing/errors.js';
import type { Sealer } from '../sealing/sealer.js';
import { withoutCoding } from './content-coding.js';
import { type CallbackWire, readCallback, reservationIdOf } from './decode.js';
import { normalise, type StoredEvent } from './normalise.js';

/** A stored event as the table holds it: encrypted, and as it was sent. */
export interface SealedEvent extends StoredEvent {
  sealed: Uint8Array;
  /** Its `Content-Encoding`. */
  coding: string | undefined;
}

/** With what a stored event is opened and read. */
export interface ReadingTools {
  wire: CallbackWire;
  sealer: Sealer;
}

/** What becomes of a stored event that is to go to its workflow. */
export type ReadEvent =
  /** `reservationId`: which one it is about by this profile; null: by no id. `body`: without its coding. */
  | { event: ReservationEvent; reservationId: number | null; body: Uint8Array }
  /** The profile cannot read it (L63). `isCoded`: the body is as it was sent, for its coding cannot be taken off. */
  | { event: null; body: Uint8Array; isCoded: boolean }
  | Fault;

/** It cannot be decrypted; `keyId`: for want of this key. */
interface Fault {
  fault: CodecError['code'];
  keyId?: string;
}

/** Opens and reads a stored event. Total. */
export function readEvent(row: SealedEvent, { wire, sealer }: ReadingTools): ReadEvent {
  const { sealed, coding, ...stored } = row;
  const opened = open(sealed, sealer);
  if ('fault' in opened) return opened;
  const body = withoutCoding(opened.sent, coding);
  if (body === null) return { event: null, body: opened.sent, isCoded: true };
  try {
    const callback = readCallback(wire, row.channel, body);
    if (callback !== null)
      return { event: normalise(callback, stored), reservationId: reservationIdOf(callback), body };
  } catch {
    // whatever a profile's values make go wrong, the event is one that it cannot read
  }
  return { event: null, body, isCoded: false };
}

function open(sealed: Uint8Array, sealer: Sealer): { sent: Uint8Array } | Fault {
  try {
    return { sent: sealer.open(sealed) };
  } catch (error) {
    if (error instanceof UnknownKeyError) return { fault: error.code, keyId: error.keyId };
    return { fault: 'CODEC_PAYLOAD_DAMAGED' };
  }
}
