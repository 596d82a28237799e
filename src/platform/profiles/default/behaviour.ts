import type { Behaviour } from '../../profile.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

export const behaviour: Behaviour = {
  /** G12 */
  bookingStatus: 'CONFIRMED',
  /** G08 */
  reservationScheduleReason: 'reservation',
  /** G31 */
  emits: {
    created: ['registration'],
    status: ['update', 'status'],
    car: ['car', 'update'],
    period: ['update'],
    driver: ['update'],
    parking: ['update'],
  },
  /** G33 */
  acknowledgeWithinMs: 5 * second,
  /** G34 */
  retries: {
    offsetsMs: [second, 5 * second, 30 * second, 2 * minute, 10 * minute],
    thenEveryMs: hour,
    untilMs: 24 * hour,
  },
  /** G36 */
  failUnacknowledgedAfterMs: 60 * second,
  /** Specification, States; G37 for 25, G38 for 30, 40 and 50. Only the status decides (G41). */
  fromStates: {
    10: [5],
    15: [10],
    20: [15],
    25: [20],
    30: [20, 25],
    35: [30],
    40: [5, 10, 15],
    45: [5, 10, 15],
    50: [5],
  },
};
