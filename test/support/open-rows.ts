import type { RecordInput } from '../../src/contract/reservation.js';
import { type ListRow, listRow } from '../../src/domain/reservation/index.js';
import type { HandoverDb } from '../../src/store/handover.js';
import { createOpenRows } from '../../src/store/reservations/open-rows.js';
import { writeTogether } from '../../src/store/reservations/record.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { publicTestKey } from './codec.js';
import { registered } from './reservation-story.js';

const keys = [publicTestKey];
export const openRows = createOpenRows(createSealer(keys), keys);

/** What lists show of a registered reservation of car 12 (12가3456), with these changes. */
export function openRow(changes: Partial<ListRow> = {}): ListRow {
  return { ...listRow(registered().state), sequence: 1, ...changes };
}

/** A step of a reservation that writes nothing else. */
export function rowInput(reservationId: number, row?: ListRow): RecordInput {
  return { reservationId, verdicts: [], entries: [], ...(row !== undefined && { row }) };
}

/** Open reservations as their workflows would have written them. */
export async function storeOpen(
  db: Pick<HandoverDb, 'execute'>,
  rows: Readonly<Record<number, Partial<ListRow>>>,
): Promise<void> {
  const inputs = Object.entries(rows).map(([id, changes]) => rowInput(Number(id), openRow(changes)));
  await writeTogether(db, inputs, { openRows });
}
