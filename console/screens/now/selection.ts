import { signal } from '@preact/signals';
import type { BoardRow } from '../../api/types.js';

/** What is assigned to a row: dispatch staff until the car is handed over, recall staff from then on. */
export type StaffAction = 'dispatch.staff' | 'recall.staff';

export interface Selected {
  reservationId: number;
  plate: string | null;
  action: StaffAction;
}

/** Rows that the user selected, by explicit ids: what arrives later is never among them. */
export const selection = signal<ReadonlyMap<number, Selected>>(new Map());

/** Null: no staff can be assigned at this status. */
export function staffActionAt(status: number | null): StaffAction | null {
  if (status === null || ![5, 10, 15, 20, 25, 30].includes(status)) return null;
  return status < 15 ? 'dispatch.staff' : 'recall.staff';
}

export function toggle({ reservationId, carNumber, status }: BoardRow): void {
  const action = staffActionAt(status.code);
  const next = new Map(selection.value);
  if (!next.delete(reservationId) && action !== null) {
    next.set(reservationId, { reservationId, plate: carNumber, action });
  }
  selection.value = next;
}

export function select(rows: readonly Selected[]): void {
  selection.value = new Map(rows.map((row) => [row.reservationId, row]));
}

export function clearSelection(): void {
  select([]);
}
