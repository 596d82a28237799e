/**
 * A stopwatch for deadlines that other machines rely on. It uses the clock that advanced more: the monotonic clock stops
 * while a machine is suspended, and the wall clock may be set back.
 * @returns how long ago it was started, in milliseconds
 */
export function startStopwatch(): () => number {
  const [monotonic, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
}
