/** The order of the sides in a round, counted from 1. The first and the last of a round are slower, so each side has each place in turn. */
export function rotateSides<T>(sides: readonly T[], round: number): T[] {
  const first = (round - 1) % sides.length;
  return [...sides.slice(first), ...sides.slice(0, first)];
}
