import { constants } from 'node:os';
import { endPrograms } from './child.js';

/** Remove what the run has left on this machine or on a server. */
const removals = new Set<() => Promise<unknown>>();
let hasSignal = false;

/** Calls `remove` where a signal ends the bench. @returns a function that forgets it */
export function removeOnSignal(remove: () => Promise<unknown>): () => void {
  removals.add(remove);
  return () => removals.delete(remove);
}

/** Whether a signal ends the bench: what fails from then on fails because its programs have ended. */
export function isEnding(): boolean {
  return hasSignal;
}

/** On Ctrl-C, `kill` or a closed terminal, ends the bench with all that it has started. */
export function endOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, async () => {
      hasSignal = true;
      await endPrograms();
      const removed = [...removals].map((remove) =>
        remove().catch((error) => console.error(`not removed: ${error}`)),
      );
      await Promise.all(removed);
      process.exit(128 + constants.signals[signal]);
    });
}
