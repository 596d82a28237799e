/** The value of `promise`, or undefined as soon as `signal` is aborted. Leaves no listener on the signal. */
export function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  promise.catch(() => {}); // a rejection after the stop must not be unhandled
  return new Promise<T | undefined>((resolve, reject) => {
    if (signal.aborted) return resolve(undefined);
    const stopped = () => resolve(undefined);
    signal.addEventListener('abort', stopped, { once: true });
    const leave = () => signal.removeEventListener('abort', stopped);
    promise.finally(leave).then(resolve, reject);
  });
}
