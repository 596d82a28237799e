/**
 * Calls `notify` for each of many calls, but only once in `everyMs`: at the first, and after the last. Best effort:
 * callers do not wait, a failed call is dropped, and the receiver also polls.
 */
export function notifyRarely(notify: () => Promise<void>, everyMs = 25): () => void {
  let resting = false;
  let again = false;
  const call = () => {
    if (resting) {
      again = true;
      return;
    }
    resting = true;
    again = false;
    notify().catch(() => {});
    setTimeout(() => {
      resting = false;
      if (again) call();
    }, everyMs).unref();
  };
  return call;
}
