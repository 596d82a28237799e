import type { HoldView } from '../../domain/hold/index.js';
import type { holds } from '../schema.js';
import { CodecError, KeyStoreError } from '../sealing/errors.js';
import type { Sealer } from '../sealing/sealer.js';

/**
 * Whether an error means that no key of ours opens something. An erasure destroys it all the same: what cannot be read today
 * can be read again where that key is.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof CodecError || (error instanceof KeyStoreError && error.cause instanceof CodecError);
}

/** The JSON of a sealed column; undefined: no key of ours opens it. */
export function openJson<T>(sealer: Pick<Sealer, 'open'>, sealed: Uint8Array, row: string): T | undefined {
  let text: string;
  try {
    text = sealer.open(sealed, row).toString();
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
  return JSON.parse(text);
}

/** What its row shows of an erased hold, in place of a view that cannot be read. */
export function holdViewOf(row: typeof holds.$inferSelect): HoldView {
  const { holdId, carId, state, withdrawFromSale, reservationId } = row;
  const write = (at: number) => new Date(at).toISOString();
  return {
    holdId,
    carId,
    state,
    withdrawFromSale,
    reservationId,
    carNumber: null,
    open: false,
    period: { start: write(row.startAt), end: write(row.endAt) },
    reason: '[erased 1]',
    by: '',
    createdAt: write(row.createdAt),
    endedAt: row.endedAt === null ? null : write(row.endedAt),
    schedule: { scheduleId: null, state: 'none' },
    memoId: null,
    sale: [],
    attention: [],
    refused: null,
    commands: [],
    mark: 'erased',
  };
}
