/** What the example calls; the test provides it. */
export interface ReminderActivities {
  remind(reservationId: number): Promise<void>;
  isReturned(reservationId: number): Promise<boolean>;
}
