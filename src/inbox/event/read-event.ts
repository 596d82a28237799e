import type { ReservationEvent } from '../../domain/reservation/types.js';
import type { InboxRow, Unreadable } from '../../store/callbacks/types.js';
import { UnknownKeyError } from '../../store/sealing/errors.js';
import { inboxRow } from '../../store/sealing/rows.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { withoutCoding } from './content-coding.js';
import { type CallbackWire, decodeCallback, reservationIdOf } from './decode.js';
import { type IdentifiedRow, normalise } from './normalise.js';

/** What opens and reads a stored event. */
export interface ReadingTools {
  wire: CallbackWire;
  sealer: Sealer;
}

/** A row with the columns that its event is read from. */
export type SealedRow = IdentifiedRow & Pick<InboxRow, 'raw' | 'headers'>;

/** The result of reading a stored event by today's code and profile: the event, or why it cannot be read. */
export type Reading = {
  /** Without its content coding, where that can be removed; null: it cannot be decrypted, or is deleted. */
  body: Uint8Array | null;
  /** By today's profile; null where it cannot be read, or names no id. */
  reservationId: number | null;
} & (
  | { event: ReservationEvent; unreadable: null }
  /** `keyId`: the key that this process lacks to decrypt it. */
  | { event: null; unreadable: Unreadable; keyId?: string }
);

/** Opens and reads a stored event. Never throws. */
export function readEvent(row: SealedRow, { wire, sealer }: ReadingTools): Reading {
  const nothing = { body: null, reservationId: null, event: null };
  const because = (code: Unreadable['code']) => ({ unreadable: { code, fields: [] } });
  if (row.raw === null) return { ...nothing, ...because('BODY_REMOVED') };
  let sent: Uint8Array;
  try {
    sent = sealer.open(row.raw, inboxRow(row.eventId));
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) return { ...nothing, ...because('CODEC_PAYLOAD_DAMAGED') };
    return { ...nothing, ...because(error.code), keyId: error.keyId };
  }
  const body = withoutCoding(sent, row.headers['content-encoding']);
  if (body === null) return { ...nothing, body: sent, ...because('CONTENT_CODING_UNREADABLE') };
  const { callback, unreadable } = decodeCallback(wire, row.channel, body);
  if (callback === null) return { ...nothing, body, unreadable };
  try {
    const event = normalise(callback, row);
    return { body, reservationId: reservationIdOf(callback), event, unreadable: null };
  } catch {
    // a profile whose values fail further on cannot read the event
    return { ...nothing, body, ...because('NOT_IN_PROFILE') };
  }
}
