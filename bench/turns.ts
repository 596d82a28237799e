/** The order of the sides in a round, counted from 1: the side that runs first or last is slower, so each comes at each place. */
export function inTurn<T>(sides: readonly T[], round: number): T[] {
  const first = (round - 1) % sides.length;
  return [...sides.slice(first), ...sides.slice(0, first)];
}
