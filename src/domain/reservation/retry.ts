import { backoffMs } from '../shared/backoff.js';
import { fraction } from '../shared/hash.js';
import { day, hour, type Instant, minute, second } from '../shared/time.js';
import { staffActions } from './actions.js';
import type { Belief } from './belief.js';
import type { CommandRecord } from './state.js';

const firstWaitMs = 2 * second;
const longestWaitMs = 5 * minute;
/** L30: a platform that has been away for an hour is asked four to eight times an hour. */
const patientAfterMs = hour;
const patientWaitMs = 15 * minute;
/** Deadline of retries where the reservation's end sets none: recall, or an unknown period. */
const retryForMs = day;

/**
 * The wait before try number `tries` + 1: doubling, capped, with jitter that depends on the command alone, so
 * that many commands spread and a replay repeats. Milliseconds.
 * @param triedForMs since it was requested
 */
export function retryWaitMs(commandId: string, tries: number, triedForMs: number): number {
  const longestMs = triedForMs < patientAfterMs ? longestWaitMs : patientWaitMs;
  const spread = 0.5 + fraction(`${commandId}#${tries}`) / 2;
  return backoffMs(tries, { firstMs: firstWaitMs, longestMs }, spread);
}

/** Until when a command may be sent again: dispatch until the reservation's end, recall for 24 h. */
export function retryDeadline({ facts }: Belief, record: CommandRecord): Instant {
  const end = staffActions[record.action].phase === 'dispatch' ? facts.period?.value.end : undefined;
  return end ?? record.at + retryForMs;
}
