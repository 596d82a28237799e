import { useEffect } from 'preact/hooks';
import { isAbout, onChange } from '../live/changes.js';
import { reservationResource } from '../state/reservation.js';
import type { Write } from '../state/write.js';

/** Changes may arrive late, or not at all. */
const pollEveryMs = 5_000;

/** While the outcome of a command is not known, reads the reservation until it shows it. */
export function useFollow(write: Write, id: number): void {
  const { is } = write.outcome.value;
  const isOpen = is === 'open' || is === 'lost';
  useEffect(() => {
    if (!isOpen) return;
    const resource = reservationResource(id);
    const follow = async () => {
      await resource.refresh();
      const state = resource.state.value;
      if (state.is === 'ready') write.follow(state.data);
    };
    const poll = setInterval(() => void follow(), pollEveryMs);
    const stop = onChange((change) => {
      if (change.event === 'reset' || isAbout(change, ['reservation'], id)) void follow();
    });
    return () => {
      clearInterval(poll);
      stop();
    };
  }, [isOpen, id, write]);
}
