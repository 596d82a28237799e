import { useEffect, useState } from 'preact/hooks';
import { ApiError, send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import { refusalOf } from '../../api/problem.js';
import type { Write } from '../../state/write.js';
import { t } from '../../texts/index.js';

const pollEveryMs = 2_000;

/** Runs `read` while the outcome of a write is not known. */
export function useFollowed(write: Write, read: () => Promise<void>): void {
  const { is } = write.outcome.value;
  const isOpen = is === 'open' || is === 'lost';
  useEffect(() => {
    if (!isOpen) return;
    const follow = () =>
      void read().catch((error: unknown) => {
        // it is read again
        if (!(error instanceof ApiError)) throw error;
      });
    const poll = setInterval(follow, pollEveryMs);
    return () => clearInterval(poll);
  }, [isOpen, write]);
}

/** Follows a write on a car (F20-F23). @returns what is awaited */
export function useCarWrite(write: Write, onApplied: () => void): string {
  const [isUnknown, setUnknown] = useState(false);
  useFollowed(write, async () => {
    const { body } = await send(endpoints.carWrite, { params: { commandId: write.key } });
    setUnknown(body.outcome === 'unknown');
    if (body.outcome === 'applied') {
      write.conclude({ is: 'applied' });
      onApplied();
    }
    if (body.outcome === 'rejected') write.conclude({ is: 'rejected', problem: refusalOf(body) });
  });
  return t(isUnknown ? 'write.unknown' : 'write.open');
}
