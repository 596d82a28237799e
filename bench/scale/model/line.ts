/** A value that was measured at one number (of open reservations, of cached workflows). */
export interface Point {
  at: number;
  value: number;
}

/**
 * The value on the lines between the points, whose `at` grows; before the first that of the first, beyond the last on the line of the
 * last two, but never below the last.
 */
export function valueAt(points: readonly Point[], at: number): number {
  const next = points.findIndex((point) => point.at >= at);
  const to = next === -1 ? points.length - 1 : next;
  const [before, after] = [points[to - 1], points[to]];
  if (before === undefined || after === undefined) return after?.value ?? 0;
  const slope = (after.value - before.value) / (after.at - before.at);
  const value = before.value + slope * (at - before.at);
  return next === -1 ? Math.max(value, after.value) : value;
}

/** Those whose `at` is above all before them. */
export function growing(points: readonly Point[]): Point[] {
  let most = -1;
  return points.filter(({ at }) => {
    const isMore = at > most;
    most = Math.max(most, at);
    return isMore;
  });
}
