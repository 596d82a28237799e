/** A value that was measured at one number (of open reservations, of cached workflows). */
export interface Point {
  at: number;
  value: number;
}

/**
 * The value on the lines between the points, which grow; beyond the last on the line of the last two, before the first that of the
 * first. Never below zero.
 */
export function valueAt(points: readonly Point[], at: number): number {
  const next = points.findIndex((point) => point.at >= at);
  const to = next === -1 ? points.length - 1 : next;
  const [before, after] = [points[to - 1], points[to]];
  if (before === undefined || after === undefined) return after?.value ?? 0;
  const slope = (after.value - before.value) / (after.at - before.at);
  return Math.max(before.value + slope * (at - before.at), 0);
}
