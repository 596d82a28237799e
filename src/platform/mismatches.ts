import type { OperationName } from './profile.js';
import { type Misfit, pathOf, unreadOf } from './unread.js';

/** Values at one path of one answer or callback that do not fit the wire profile and were read as unknown. */
export interface Mismatch extends Pick<Misfit, 'expected' | 'received' | 'gap'> {
  /** Name of the operation in the wire profile, or for example `callback registration`. */
  operation: OperationName | `callback ${string}`;
  /** Path without positions in lists. */
  path: string;
  /** How many such values the answer had. */
  count: number;
}

/** Called with the places of unknown values, never with a value. */
export type OnMismatch = (mismatch: Mismatch) => void;

/** Reports the unknown values of an answer: each path once, with its count. */
export function reportUnread(
  operation: Mismatch['operation'],
  value: unknown,
  report: OnMismatch | undefined,
): void {
  if (report === undefined) return;
  for (const mismatch of mismatchesIn(operation, unreadOf(value))) report(mismatch);
}

function mismatchesIn(operation: Mismatch['operation'], misfits: readonly Misfit[]): Mismatch[] {
  const places = new Map<string, Mismatch>();
  for (const misfit of misfits) {
    const { expected, received, gap } = misfit;
    const path = pathOf(misfit);
    const key = `${path} ${received}`;
    const known = places.get(key);
    if (known === undefined) places.set(key, { operation, path, expected, received, gap, count: 1 });
    else known.count += 1;
  }
  return [...places.values()];
}
