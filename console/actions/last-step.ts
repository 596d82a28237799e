import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
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

export function lastStep(id: number): SentStep | null {
  return sent.value.get(id) ?? null;
}

const isPending = ({ write }: SentStep) => ['sending', 'open', 'lost'].includes(write.outcome.value.is);

/** The last step while its outcome is not known. */
export function pendingStep(id: number): SentStep | null {
  const step = lastStep(id);
  return step !== null && isPending(step) ? step : null;
}

/** The user has seen what is applied or rejected; what is not known stays. */
export function forgetOutcomes(): void {
  sent.value = new Map([...sent.peek()].filter(([, step]) => isPending(step)));
}

/** Forgets the outcomes when the screen is left. */
export function useLastSteps(): void {
  useEffect(() => forgetOutcomes, []);
}
