import { signal } from '@preact/signals';
import type { EventName } from '../../src/api/changes/stream.js';

/** One change as the service's stream reports it: ids and codes only. */
export interface Change {
  event: Exclude<EventName, 'degraded' | 'ended' | 'beat'>;
  /** Null: any of them. */
  id: string | number | null;
  codes: readonly string[];
}

export type Connection = 'live' | 'connecting' | 'offline';

/** Whether changes arrive by themselves. */
export const connection = signal<Connection>('connecting');

const listeners = new Set<(change: Change) => void>();

/** Whether one of these events is about this thing, or about any. */
export function isAbout(change: Change, events: readonly Change['event'][], id: string | number): boolean {
  return events.includes(change.event) && (change.id === null || String(change.id) === String(id));
}

/** @returns stops it */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function report(change: Change): void {
  for (const listener of listeners) listener(change);
}
