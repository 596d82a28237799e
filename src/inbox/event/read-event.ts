import type { ReservationEvent } from '../../domain/reservation/types.js';
import type { SealedEvent } from '../../store/callbacks/sealed-event.js';
import { type CodecError, UnknownKeyError } from '../../store/sealing/errors.js';
import { inboxRow } from '../../store/sealing/rows.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { withoutCoding } from './content-coding.js';
import { type CallbackWire, readCallback, reservationIdOf } from './decode.js';
import { normalise } from './normalise.js';

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
  const opened = open(sealed, inboxRow(stored.eventId), sealer);
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

function open(sealed: Uint8Array, row: string, sealer: Sealer): { sent: Uint8Array } | Fault {
  try {
    return { sent: sealer.open(sealed, row) };
  } catch (error) {
    if (error instanceof UnknownKeyError) return { fault: error.code, keyId: error.keyId };
    return { fault: 'CODEC_PAYLOAD_DAMAGED' };
  }
}
