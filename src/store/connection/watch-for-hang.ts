const watchMs = 5_000;

/**
 * Calls `hangs` once `isLate` was true at two checks in a row: after a stop of the whole process, answers wait behind the first one.
 * @returns ends the watch
 */
export function watchForHang(isLate: () => boolean, hangs: () => void): () => void {
  let wasLate = false;
  const watch = setInterval(() => {
    const late = isLate();
    if (late && wasLate) hangs();
    wasLate = late;
  }, watchMs).unref();
  return () => clearInterval(watch);
}
