/**
 * How a month goes (docs/sandbox.md shows this table). Shares are of the reservations made; an extension or a
 * swap that the platform refuses, for the car is taken, stays undone.
 */
export const proportions = {
  /** Booking attempts a day for each car of the fleet. */
  bookingsPerCarAndDay: 0.16,
  /** The channel never acknowledges the registration: 50. */
  unacknowledged: 0.005,
  /** Cancelled before the car is used: 40. Mostly before dispatch, at any moment until the start. */
  cancelled: 0.08,
  /** The customer does not come: 45, from 5, 10 or 15 alike. */
  noShow: 0.03,
  /** Returned after the end: 25, then 30. Between five minutes and six hours late. */
  late: 0.1,
  /** Returned in the last quarter of the period. */
  early: 0.2,
  /** The end is moved while the car is in use, by 1 to 24 hours. */
  extended: 0.07,
  /** Another car of the product before use. */
  swapped: 0.04,
  /** A companion is added before use. */
  companion: 0.12,
  /** Of those, removed again. */
  companionRemoved: 0.33,
} as const;
