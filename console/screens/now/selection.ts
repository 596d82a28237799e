import { signal } from '@preact/signals';
import { type Action, actions, isAllowedAt, staffActions } from '../../../src/domain/reservation/actions.js';
import type { BoardRow } from '../../api/types.js';

export interface Selected {
  reservationId: number;
  plate: string | null;
  action: Action;
}

/** Rows that the user selected, by explicit ids: what arrives later is never among them. */
export const selection = signal<ReadonlyMap<number, Selected>>(new Map());

/** What assigns staff at this status; null: none can be assigned. */
export function staffActionAt(status: number | null): Action | null {
  const assigns = (action: Action) => staffActions[action].fields === 'staff';
  return actions.find((action) => assigns(action) && isAllowedAt(action, status)) ?? null;
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
