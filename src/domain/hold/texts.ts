import type { Obstacle } from './types.js';

// What a person reads of a hold. None holds personal data.

export const unknown = 'The platform gave no answer; Handover checks the effect of the request.';

/** After a request whose effect is not known. @param why its answer cannot be read; absent: there was none */
export function lost(why: string | undefined): string {
  return why === undefined ? unknown : `${why}. Handover checks the effect of the request.`;
}
export function entryUnread(why: string): string {
  return `An entry of the car's schedule cannot be read, and it may be the hold's own: ${why}.`;
}
export function productsUnread(count: number, why: string): string {
  return `The id of ${count} products cannot be read, so they may offer this car: ${why}. Correct the wire profile, or check them on the platform.`;
}
export const notRead = 'The schedule on the platform could not be read.';
export const isReservation =
  'The entry belongs to a reservation (type R): such an entry can be neither edited nor deleted; it changes with its reservation.';
export const entryGone =
  'The schedule entry of the hold was deleted on the platform, so the car is not blocked for the period. Release the hold, and make a new one where it is still needed.';
export const entryMoved =
  'The schedule entry of the hold was moved on the platform. Change the hold to the period that it should have, or release it.';
export const notPlacedInTime = 'The platform accepted no schedule entry in time; nothing is left in place.';
export const memoMissing = 'The memo of the hold is not on the car.';
export const saleNotWithdrawn = 'The car is still on sale in some products of the hold.';
export const saleNotRestored = 'The sale status is not restored in some products of the hold.';

/** F08. */
export function inTheWay(obstacles: readonly Obstacle[]): string {
  const [first] = obstacles;
  if (first === undefined) return 'Another schedule entry of the car overlaps the period.';
  const what =
    first.type === 'R'
      ? `The car is reserved in this period (schedule entry ${first.scheduleId}, type R), and a reservation's entry can be neither edited nor deleted`
      : first.holdId === null
        ? `Another use of the car is entered for this period (schedule entry ${first.scheduleId}, type S)`
        : `Another hold blocks the car in this period (schedule entry ${first.scheduleId}, hold ${first.holdId})`;
  const more = obstacles.length === 1 ? '' : `, and ${obstacles.length - 1} more`;
  return `${what}${more}. Choose another period; the field "free" lists the nearest.`;
}
export const releasedBefore = 'The hold was released before this was done.';

/** F16. */
export function workflowGone(holdId: string): string {
  return `The hold's workflow is gone, so no worker ends the hold and its period stays blocked. Reset the workflow while Temporal knows it (temporal workflow reset --type LastWorkflowTask), or have a manager close the hold (POST /api/holds/${holdId}/resolve) and remove by hand what the field "left" lists, as far as it was recorded; any other entry or memo of the hold contains [hold ${holdId}].`;
}
/** F13. */
export function resolvedWithoutWorkflow(holdId: string): string {
  return `A manager closed this hold without its workflow, and nothing was changed on the platform. Remove by hand what the field "left" lists: delete the schedule entry, and set the car on sale (Y) again in the products. Check the schedule and the memos of the car for [hold ${holdId}] too. Do not reset the workflow any more.`;
}
export const resolvedBefore =
  'The hold was closed without its workflow, before the outcome of this was recorded.';
