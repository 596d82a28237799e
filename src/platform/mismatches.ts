import type { OperationName } from './profile.js';
import { type Misfit, pathOf, unreadOf } from './unread.js';

/** Values of one kind in one answer, or callback, that were read as unknown: they do not fit the wire profile. */
export interface Mismatch extends Pick<Misfit, 'expected' | 'received' | 'gap'> {
  /** Of the wire profile, or `callback registration` and the like. */
  operation: OperationName | `callback ${string}`;
  /** Without positions in lists. */
  path: string;
  /** How many such values the answer had. */
  count: number;
}

/** Called with what was read as unknown, never with a value. */
export type OnMismatch = (mismatch: Mismatch) => void;

/** Reports what is unknown in what was read, each place once with its count. */
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
