import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../domain/shared/backoff.js';
import type { OpenDatabase } from './database.js';

/**
 * Whether a session receives notifications. Behind a pooler that lends server connections per transaction it does not, and
 * no other feature of a session works there either.
 * @throws where the database does not answer
 */
export async function notificationsArrive(
  { session, notify }: Pick<OpenDatabase<never>, 'session' | 'notify'>,
  withinMs = 3_000,
): Promise<boolean> {
  const channel = `handover_probe_${randomUUID().replaceAll('-', '')}`;
  const own = await session();
  try {
    let hasArrived = false;
    await own.listen(channel, () => {
      hasArrived = true;
    });
    const until = performance.now() + withinMs;
    for (let tries = 1; !hasArrived && performance.now() < until; tries++) {
      await notify(channel);
      await sleep(backoffMs(tries, { firstMs: 5, longestMs: 500 }));
    }
    return hasArrived;
  } finally {
    await own.close();
  }
}
