// The one catalogue of what staff and operations read. A text says what happened and what to do; none holds personal data (L60).

export { lookAheadFailedText, lookAheadText } from './ahead.js';
export * from './assertions.js';
export {
  attentionTexts,
  clearedAlert,
  clearedText,
  leftOpenText,
  raisedText,
  resolvedText,
} from './attention.js';
export { bookedText } from './bookings.js';
export * from './commands.js';
export { closedText, eventText, lateEventAlert, lateEventText } from './events.js';
export { moves, periodEndedText } from './moves.js';
export { actionTitle } from './names.js';
export { noteText } from './notes.js';
export * from './refusals.js';
export { scheduleText } from './schedule.js';
