import { signal } from '@preact/signals';

/** One change as the service's stream reports it: ids and codes only. */
export interface Change {
  event: 'reservation' | 'alert' | 'finding' | 'callback' | 'claim' | 'booking' | 'hold' | 'reset';
  /** Null: `reset`: anything may have changed. */
  id: string | number | null;
  codes: readonly string[];
}

export type Connection = 'live' | 'connecting' | 'offline';

/** Whether changes arrive by themselves. */
export const connection = signal<Connection>('connecting');

const listeners = new Set<(change: Change) => void>();

/** @returns stops it */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function report(change: Change): void {
  for (const listener of listeners) listener(change);
}
