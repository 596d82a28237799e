import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Action } from '../api/types.js';

/** The action of each reservation that was applied last on this screen: its button is gone by then. */
const applied = signal<ReadonlyMap<number, Action>>(new Map());

export function noteApplied(id: number, action: Action): void {
  applied.value = new Map(applied.value).set(id, action);
}

export function appliedAction(id: number): Action | undefined {
  return applied.value.get(id);
}

/** Forgets them when the screen is left. */
export function useAppliedActions(): void {
  useEffect(
    () => () => {
      applied.value = new Map();
    },
    [],
  );
}
