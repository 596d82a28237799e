import type { ReservationEvent } from '../../domain/reservation/types.js';
import type { ReadRow } from '../../store/callbacks/types.js';
import { type ReadingTools, readEvent, type SealedRow } from '../event/read-event.js';

/** What the waiting rows of one reservation hold. */
export interface ReadBatch {
  /** Those that can go, in their order. */
  events: ReservationEvent[];
  /** What the profile cannot read (L63). */
  invalid: ReadRow[];
  /** What no key opens any more: it was changed. */
  damaged: ReadRow[];
  /** What this process reads as news of another reservation than its receiver did: it goes to neither. */
  misplaced: ReadRow[];
  /** The next one is encrypted under this key, which the process lacks: it waits, and what came after it too. */
  lacksKey: string | null;
}

/**
 * @param reservationId whose rows they are, as the receiver read them
 * @param maxBytes bound of all events together as they travel, decompressed and as JSON; the first goes in any case,
 * what is beyond it waits for the next signal
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
      bytes += Buffer.byteLength(JSON.stringify(read.event));
      if (batch.events.length > 0 && bytes > maxBytes) return batch;
      batch.events.push(read.event);
    }
  }
  return batch;
}
