/**
 * Notified by triggers of the tables (migration `live_changes`), with the transaction that writes: `[event, id, [codes]]`. An empty
 * payload states that notifications may have been missed.
 */
export const changesChannel = 'handover_changes';

/** Something that was written: of what kind, its id, and what happened, in codes. Nothing personal (L60). */
export interface Change {
  event: 'reservation' | 'alert' | 'finding' | 'callback' | 'claim' | 'booking' | 'hold';
  /** Null: any of its kind. */
  id: number | string | null;
  codes: readonly string[];
}

/** @returns undefined for a payload that is no change */
export function readChange(payload: string): Change | undefined {
  if (payload === '') return undefined;
  const [event, id, codes] = JSON.parse(payload) as [Change['event'], Change['id'], string[]];
  return { event, id, codes };
}
