import { z } from 'zod';

/**
 * Notified by triggers of the tables (migration `live_changes`), with the transaction that writes: `[event, id, [codes]]`. An empty
 * payload states that notifications may have been missed.
 */
export const changesChannel = 'handover_changes';

const events = ['reservation', 'alert', 'finding', 'callback', 'claim', 'booking', 'hold'] as const;

/** Something that was written: of what kind, its id, and what happened, in codes. Nothing personal (L60). */
export interface Change {
  event: (typeof events)[number];
  /** Null: any of its kind. */
  id: number | string | null;
  codes: readonly string[];
}

const notified = z.tuple([z.enum(events), z.union([z.number(), z.string()]).nullable(), z.array(z.string())]);

/**
 * @returns undefined for a payload that is no change: empty, or of another program that notifies on the channel. It never throws, because
 * the driver calls it as an event, where nothing catches.
 */
export function readChange(payload: string): Change | undefined {
  try {
    const [event, id, codes] = notified.parse(JSON.parse(payload));
    return { event, id, codes };
  } catch {
    return undefined;
  }
}
