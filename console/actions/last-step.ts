import { computed, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Action } from '../api/types.js';
import type { Write } from '../state/write.js';

export interface SentStep {
  action: Action;
  write: Write;
}

/** What the user sent last of each reservation: its outcome is shown also when another step is next by then. */
const sent = signal<ReadonlyMap<number, SentStep>>(new Map());

export function noteStep(id: number, step: SentStep): void {
  sent.value = new Map(sent.value).set(id, step);
}

/** A step of another reservation renders nothing again. Not `useComputed`: that one stays with the first id. */
export function useLastStep(id: number): SentStep | null {
  return useMemo(() => computed(() => sent.value.get(id) ?? null), [id]).value;
}

/** The last step while its outcome is not known. */
export function usePendingStep(id: number): SentStep | null {
  const step = useLastStep(id);
  return step?.write.isPending ? step : null;
}

/** The user has seen what is applied or rejected; what is not known stays. */
export function forgetOutcomes(): void {
  sent.value = new Map([...sent.peek()].filter(([, { write }]) => write.isPending));
}

/** Forgets the outcomes when the screen is left. */
export function useForgottenOutcomes(): void {
  useEffect(() => forgetOutcomes, []);
}
