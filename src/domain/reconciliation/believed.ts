import type { BelievedReservation } from './index.js';

/** Without its entry of the schedule, which no list has. */
export type Believed = Omit<BelievedReservation, 'scheduleId'>;
