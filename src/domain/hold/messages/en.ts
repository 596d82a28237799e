import type { Locale, Sentence } from '../../shared/message.js';

interface First {
  scheduleId: number;
  type: 'R' | 'S';
  holdId: string | null;
}

/** What a person reads of a hold. None has personal data. */
export const holdEn = {
  'hold.no-answer': () => 'The platform gave no answer; Handover checks the effect of the request.',
  /** After a request whose effect is not known. */
  'hold.answer-unread': ({ why }: { why: Sentence }, { sentence }: Locale) =>
    `${sentence(why)}. Handover checks the effect of the request.`,
  'hold.entry-unread': ({ why }: { why: Sentence }, { sentence }: Locale) =>
    `An entry of the car's schedule cannot be read, and it may be the hold's own: ${sentence(why)}.`,
  'hold.products-unread': ({ count, why }: { count: number; why: Sentence }, { sentence }: Locale) =>
    `The id of ${count} products cannot be read, so they may offer this car: ${sentence(why)}. Correct the wire profile, or check them on the platform.`,
  'hold.schedule-unread': () =>
    'The schedule cannot be read on the platform. Check that the platform answers.',
  'hold.is-reservation': () =>
    'The entry belongs to a reservation (type R): such an entry can be neither edited nor deleted; it changes with its reservation.',
  'hold.entry-gone': () =>
    'The schedule entry of the hold was deleted on the platform, so the car is not blocked for the period. Release the hold, and make a new one where it is still needed.',
  'hold.entry-moved': () =>
    'The schedule entry of the hold was moved on the platform. Change the hold to the period that it should have, or release it.',
  'hold.not-placed': () =>
    'The platform accepted no schedule entry in time. Nothing is left in place; make a new hold.',
  'hold.memo-missing': ({ why }: { why: Sentence }, { sentence }: Locale) =>
    `The memo of the hold is not on the car. ${sentence(why)}`,
  'hold.sale-not-withdrawn': ({ why }: { why: Sentence }, { sentence }: Locale) =>
    `The car is still on sale in some products of the hold. ${sentence(why)}`,
  'hold.sale-not-restored': ({ why }: { why: Sentence }, { sentence }: Locale) =>
    `The sale status is not restored in some products of the hold. ${sentence(why)}`,
  /** F08. `more`: how many others are in the way. */
  'hold.in-the-way': ({ first, more }: { first: First | null; more: number }) => {
    if (first === null) return 'Another schedule entry of the car overlaps the period.';
    const others = more === 0 ? '' : `, and ${more} more`;
    return `${obstacle(first)}${others}. Choose another period; the nearest free ones are listed.`;
  },
  'hold.released-before': () =>
    'The hold ended first, so this was not done. Make a new hold where the car must stay blocked.',
  /** F16. */
  'hold.workflow-gone': ({ holdId }: { holdId: string }) =>
    `The hold's workflow is gone, so nothing ends the hold and its period stays blocked. Reset the workflow, or have a manager close the hold and remove by hand what is listed as in place; other entries and memos of it contain [hold ${holdId}].`,
  'hold.workflow-ended': ({ holdId }: { holdId: string }) =>
    `The hold's workflow is gone: nothing continues hold ${holdId}, and nothing was sent. A manager closes the hold; its page shows what is in place.`,
  /** F13. */
  'hold.resolved-without-workflow': ({ holdId }: { holdId: string }) =>
    `A manager closed this hold without its workflow, and nothing was changed on the platform. Remove by hand what is listed as in place: delete the schedule entry, and set the car on sale (Y) again in the products. Check the schedule and the memos of the car for [hold ${holdId}] too. Do not reset the workflow any more.`,
  'hold.resolved-before': () =>
    'The hold was closed without its workflow, before the outcome of this was recorded.',

  'hold.period-over': () => 'The period is over already. Choose an end after now.',
  'hold.start-past': () => 'The start is in the past, by more than 15 minutes. Choose a start from now on.',
  'hold.end-past': () => 'The end is in the past. To end the hold now, release it.',
  'hold.period-reversed': () => 'The end is not later than the start. Choose a later end.',
  'hold.too-far': () => 'The end is too far away. Choose one within two years.',
  'hold.too-old': () =>
    'The hold ended 7 or more days ago, and the platform edits no schedule entry that old (E012). Make a new hold.',
  'hold.over': () =>
    'The hold is over, or is being released. Make a new one where the car must stay blocked.',
  'hold.is-over': () => 'The hold is over. Make a new one where the car must stay blocked.',
  'hold.busy': () =>
    'The hold is being placed or changed. Repeat the request when that is done, or release the hold.',
  'hold.begun': () => 'The hold has begun, and its start can no longer move; its end can.',
  'hold.not-stuck': () => 'The hold is not blocked. There is nothing to resolve.',
} as const;

function obstacle({ scheduleId, type, holdId }: First): string {
  if (type === 'R')
    return `The car is reserved in this period (schedule entry ${scheduleId}, type R), and a reservation's entry can be neither edited nor deleted`;
  return holdId === null
    ? `Another use of the car is entered for this period (schedule entry ${scheduleId}, type S)`
    : `Another hold blocks the car in this period (schedule entry ${scheduleId}, hold ${holdId})`;
}
