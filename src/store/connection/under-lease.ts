import { randomUUID } from 'node:crypto';
import type { Lease } from './lease.js';
import type { Session } from './session.js';

const durationMs = 12_000;

/**
 * Does what only one process does at a time, under the lease of this name, which is renewed meanwhile and released afterwards. Its
 * connection is separate, so that another process may claim the lease as soon as this one has ended.
 * @param work ends early once its lease has no time left
 * @returns whether this process had the lease; false: another one has it
 */
export async function underLease(
  open: () => Promise<Session>,
  name: string,
  work: (lease: Lease) => Promise<void>,
): Promise<boolean> {
  const session = await open();
  let isLost = false;
  void session.lost.then(() => {
    isLost = true;
  });
  try {
    const [held] = await session.claimLeases({ names: [name], most: 1, holder: randomUUID(), durationMs });
    if (held === undefined) return false;
    // one that is not renewed runs out by itself
    const renew = () => void session.renewLeases([held], durationMs).catch(() => {});
    const renewal = setInterval(renew, durationMs / 4);
    try {
      const remainingMs = () => (isLost ? 0 : held.remainingMs());
      await work({ name, epoch: held.epoch, remainingMs });
    } finally {
      clearInterval(renewal);
      if (!isLost) await session.releaseLeases([held]).catch(() => {});
    }
    return true;
  } finally {
    await session.close();
  }
}
