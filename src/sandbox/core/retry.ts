import type { Instant } from '../../platform/model.js';
import type { Behaviour } from '../../platform/profile.js';

/**
 * When a callback that was not acknowledged is tried again (G34). An instant in the past, where an attempt took longer
 * than the offset, means at once. Null: given up.
 * @param firstAttemptAt start of the first attempt
 * @param attempts attempts made so far, at least 1
 */
export function nextAttemptAt(
  retries: Behaviour['retries'],
  firstAttemptAt: Instant,
  attempts: number,
): Instant | null {
  const { offsetsMs, thenEveryMs, untilMs } = retries;
  const index = attempts - 1;
  const last = offsetsMs.at(-1) ?? 0;
  const offset = offsetsMs[index] ?? last + (index - offsetsMs.length + 1) * thenEveryMs;
  return offset <= untilMs ? firstAttemptAt + offset : null;
}
