/**
 * A stop watch for deadlines that other machines rely on. Of two clocks the one that advanced more counts: the monotonic one
 * stands while a machine is suspended, and the wall clock may be set back.
 * @returns how long ago it was started, in milliseconds
 */
export function startStopwatch(): () => number {
  const [monotonic, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
}
