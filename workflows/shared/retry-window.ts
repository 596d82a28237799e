import { sleep } from '@temporalio/workflow';
import { type Attempt, outcomeOf } from '../../src/contract/attempt.js';
import type { Role } from '../../src/contract/role.js';
import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';
import { type Ended, waitsFor } from '../../src/domain/shared/outcome.js';
import { endOf, keepsId } from './attempts.js';
import { roles } from './proxies.js';

const waits: Readonly<Backoff> = { firstMs: 1_000, longestMs: 60_000 };
const keyWaits: Readonly<Backoff> = { firstMs: 30_000, longestMs: 5 * 60_000 };

/**
 * One request to the platform, sent again only while it certainly had no effect: the platform asked to wait (429), the
 * connection never opened, or the request was held back for the role's key, whose workflow is notified (L30). Not for
 * staff actions of a reservation: its loop must not wait here.
 *
 * @param attempt sends the request; receives its number, from 1, which is that of the try before where nothing recorded that one
 * @param until instant at which it gives up: `rejected` with the code of what it waited for
 * @returns `unknown` where the request may have taken effect, also where the worker was lost: read before you send it again
 */
export async function sendUntilAnswered<T>(
  attempt: (number: number) => Promise<Attempt<T>>,
  { role, until }: { role: Role; until: number },
): Promise<Ended<{ value: T }>> {
  for (let tries = 1, number = 1, held = 0; ; tries++) {
    const answer = await endOf(() => attempt(number), outcomeOf<T>);
    if (answer.outcome !== 'held-back') return answer;
    if (!keepsId(answer)) number += 1;
    const isForKey = waitsFor(answer.code) === 'key';
    if (isForKey) {
      if (held === 0) await roles.suspendRole({ role, reservationId: null, code: answer.code });
      held += 1;
    }
    const waitMs = isForKey
      ? backoffMs(held, keyWaits)
      : // `Retry-After: 0` means no wait: the requests would follow each other without a pause
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

/** The same for a read, which may always be repeated. `unknown`: it never succeeded in that time. */
export async function readUntilAnswered<T>(
  attempt: () => Promise<Attempt<T>>,
  retryWindow: { role: Role; until: number },
): Promise<Ended<{ value: T }>> {
  for (let reads = 1; ; reads++) {
    const waitMs = backoffMs(reads, waits);
    const answer = await sendUntilAnswered(attempt, retryWindow);
    // an answer that cannot be read stays so, and is not repeated; histories of earlier releases have no message here
    const isFinal = answer.outcome !== 'unknown' || answer.message !== undefined;
    if (isFinal || Date.now() + waitMs > retryWindow.until) return answer;
    await sleep(waitMs, { summary: `read again after ${answer.code}` });
  }
}
