import type { Shift } from '../../api/types.js';

/** How long a shift takes at most. */
export const shiftMs = 12 * 3_600_000;

/**
 * Notes of the last shift and of this one.
 * @param shifts accepted shifts and notes, the newest first @param now in ms
 * @returns those since the shift before the last was accepted, and in any case of the last twelve hours: two persons may accept one after the other
 */
export function notesOf(shifts: readonly Shift[], now: number): Shift[] {
  const [last, before = last] = shifts.filter(({ since }) => since !== null);
  const first = before?.shiftId ?? Infinity;
  return shifts.filter(
    ({ note, shiftId, at }) => note !== null && (shiftId >= first || Date.parse(at) >= now - shiftMs),
  );
}
