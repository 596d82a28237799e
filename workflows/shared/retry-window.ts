import { sleep } from '@temporalio/workflow';
import { type Attempt, outcomeOf } from '../../src/contract/attempt.js';
import type { Role } from '../../src/contract/role.js';
import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';
import { type Ended, waitsFor } from '../../src/domain/shared/outcome.js';
import { endOf } from './attempts.js';
import { roles } from './proxies.js';

const waits: Readonly<Backoff> = { firstMs: 1_000, longestMs: 60_000 };
const keyWaits: Readonly<Backoff> = { firstMs: 30_000, longestMs: 5 * 60_000 };

/**
 * One request to the platform, sent again only while it was certainly not done: asked to wait (429, a connection that
 * never opened) or held back for the role's key, whose workflow is notified (L30). Not for the reservation, which continues
 * meanwhile.
 *
 * @param attempt sends it; receives the number of the try, from 1
 * @param until gives up at this instant: `rejected` with the code of what it waited for
 * @returns `unknown` where it may have happened, also where the worker was lost: look before you send it again
 */
export async function untilAnswered<T>(
  attempt: (tries: number) => Promise<Attempt<T>>,
  { role, until }: { role: Role; until: number },
): Promise<Ended<{ value: T }>> {
  for (let tries = 1, held = 0; ; tries++) {
    const answer = await endOf(() => attempt(tries), outcomeOf<T>);
    if (answer.outcome !== 'held-back') return answer;
    const isForKey = waitsFor(answer.code) === 'key';
    if (isForKey) {
      if (held === 0) await roles.suspendRole({ role, reservationId: null, code: answer.code });
      held += 1;
    }
    const waitMs = isForKey
      ? backoffMs(held, keyWaits)
      : // `Retry-After: 0` asks for no wait: the platform would be asked without a pause
        answer.retryAfterMs || backoffMs(tries, waits);
    if (Date.now() + waitMs > until) {
      return { outcome: 'rejected', code: answer.code, message: heldBackMessage(answer.code) };
    }
    await sleep(waitMs, { summary: `wait after ${answer.code}` });
  }
}

function heldBackMessage(code: string): string {
  return waitsFor(code) === 'handover'
    ? 'no worker sent the request in time'
    : 'the platform took no request in time';
}

/** The same for a read, which may be sent again whatever became of it. `unknown`: never read until then. */
export async function untilRead<T>(
  attempt: () => Promise<Attempt<T>>,
  retryWindow: { role: Role; until: number },
): Promise<Ended<{ value: T }>> {
  for (let reads = 1; ; reads++) {
    const waitMs = backoffMs(reads, waits);
    const answer = await untilAnswered(attempt, retryWindow);
    // an answer that cannot be read will not be readable a moment later; only newer histories have its message
    const isFinal = answer.outcome !== 'unknown' || answer.message !== undefined;
    if (isFinal || Date.now() + waitMs > retryWindow.until) return answer;
    await sleep(waitMs, { summary: `read again after ${answer.code}` });
  }
}
