import type { ReservationEvent } from '../../domain/reservation/types.js';
import type { ReadRow } from '../../store/callbacks/types.js';
import { type ReadingTools, readEvent, type SealedRow } from '../event/read-event.js';

/** The waiting rows of one reservation, read. */
export interface ReadBatch {
  /** The events to send, in their order. */
  events: ReservationEvent[];
  /** Rows that the profile cannot read, or reads as what is no JSON (L63). */
  invalid: ReadRow[];
  /** Rows that no key opens: they were changed. */
  damaged: ReadRow[];
  /** Rows that this process assigns to another reservation than the receiver did: they are sent to neither. */
  misplaced: ReadRow[];
  /** The next row is encrypted under this key, which the process lacks: it waits, and all later rows too. */
  lacksKey: string | null;
}

/**
 * @param reservationId whose rows they are, as the receiver read them
 * @param maxBytes limit of all events together, decompressed and as JSON; the first event is always included, those
 * beyond the limit wait for the next signal
 */
export function readBatch(
  reservationId: number,
  rows: readonly SealedRow[],
  tools: ReadingTools,
  maxBytes: number,
): ReadBatch {
  const batch: ReadBatch = { events: [], invalid: [], damaged: [], misplaced: [], lacksKey: null };
  let bytes = 0;
  for (const row of rows) {
    const read = readEvent(row, tools);
    if (read.event === null) {
      if (read.keyId !== undefined) return { ...batch, lacksKey: read.keyId };
      (read.body === null ? batch.damaged : batch.invalid).push(row);
    } else if (read.reservationId !== reservationId) batch.misplaced.push(row);
    else {
      const size = jsonBytesOf(read.event);
      if (size === null) {
        batch.invalid.push(row);
        continue;
      }
      bytes += size;
      if (batch.events.length > 0 && bytes > maxBytes) return batch;
      batch.events.push(read.event);
    }
  }
  return batch;
}

/** Null: a value of the profile cannot be written as JSON. */
function jsonBytesOf(event: ReservationEvent): number | null {
  try {
    return Buffer.byteLength(JSON.stringify(event));
  } catch {
    return null;
  }
}
