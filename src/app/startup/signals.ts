/** A terminal and npm in between may deliver one Ctrl-C twice; the second within this time is the same. */
export const sameKeyWithinMs = 2_000;

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP (a closed terminal). Signals that follow at once belong to the same
 * Ctrl-C; one that comes later calls `onImpatience`.
 */
export function untilInterrupted(onImpatience: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first = 0;
    const onSignal = (signal: NodeJS.Signals) => {
      if (first === 0) {
        first = Date.now();
        resolve(signal);
      } else if (Date.now() - first > sameKeyWithinMs) onImpatience();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    // the output is closed: no reason to end before everything is stopped
    process.stdout.on('error', () => {});
    // waiting for a signal alone does not keep a process running
    setInterval(() => {}, 2 ** 30);
  });
}
