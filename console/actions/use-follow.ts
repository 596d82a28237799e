import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/client.js';
import { type Change, isAbout, onChange } from '../live/changes.js';
import { reservationResource } from '../state/reservation.js';
import type { Write } from '../state/write.js';

/** Changes may arrive late, or not at all. */
const pollEveryMs = 5_000;

interface Follow {
  /** Concludes the write where its outcome is known by now. */
  read(): Promise<void>;
  /** Changes after which it may be known. */
  concerns?(change: Change): boolean;
  everyMs?: number;
}

/** Reads at once, on changes and regularly, while the outcome of a write is not known. */
export function useFollow(write: Write, { read, concerns, everyMs = pollEveryMs }: Follow): void {
  const { isAwaited } = write;
  useEffect(() => {
    if (!isAwaited) return;
    const follow = () =>
      void read().catch((error: unknown) => {
        // it is read again
        if (!(error instanceof ApiError)) throw error;
      });
    follow();
    const poll = setInterval(follow, everyMs);
    const stop = onChange((change) => {
      if (change.event === 'reset' || concerns?.(change)) follow();
    });
    return () => {
      clearInterval(poll);
      stop();
    };
  }, [isAwaited, write]);
}

/** Reads the reservation until it shows what became of the command. */
export function useFollowStep(write: Write, id: number): void {
  useFollow(write, {
    read: async () => {
      const resource = reservationResource(id);
      await resource.refresh();
      const state = resource.state.value;
      if (state.is === 'ready') write.follow(state.data);
    },
    concerns: (change) => isAbout(change, ['reservation'], id),
  });
}
