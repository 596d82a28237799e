/**
 * Calls `tell` for each of many calls, but only once in `everyMs`: at the first, and after the last. Nobody waits for
 * it, and one that fails is dropped (whoever should hear also looks by himself).
 */
export function toldAtMost(tell: () => Promise<void>, everyMs = 25): () => void {
  let resting = false;
  let again = false;
  const call = () => {
    if (resting) {
      again = true;
      return;
    }
    resting = true;
    again = false;
    tell().catch(() => {});
    setTimeout(() => {
      resting = false;
      if (again) call();
    }, everyMs).unref();
  };
  return call;
}
