const withDeadline: readonly (number | null)[] = [5, 10, 15, 20, 25];

/** Before the return a moment is a deadline: the start or the end of the period. */
export function hasDeadline(status: number | null): boolean {
  return withDeadline.includes(status);
}

/** Of a returned or cancelled car the moment is when it became so, which is never late. */
export function isLate(leftMs: number, status: number | null): boolean {
  return leftMs < 0 && hasDeadline(status);
}
