import { message } from '../messages/message.js';
import { Problem } from './problem.js';

/**
 * Refuses a period that does not end after it starts; one that lacks an end is open on that side.
 * @throws `Problem` PERIOD_REVERSED: each end fits by itself, so the API document cannot forbid it
 */
export function refuseReversed<S extends string, E extends string>(
  fields: Partial<Record<S | E, unknown>>,
  start: S,
  end: E,
): void {
  const [from, to] = [fields[start], fields[end]];
  if (typeof from !== 'number' || typeof to !== 'number' || from < to) return;
  throw new Problem('PERIOD_REVERSED', message('api.period-reversed', { start, end }), {
    members: { fields: [{ field: end, message: message('field.moment-after', { start }) }] },
  });
}
