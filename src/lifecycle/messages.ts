// The one catalogue of what people read. A text says what happened and what to do; none holds personal data (L60).

export { lookedAheadText, notLookedAhead } from './messages/ahead.js';
export * from './messages/assertions.js';
export {
  attentionTexts,
  clearedAlert,
  clearedText,
  leftOpenText,
  raisedText,
  resolvedText,
} from './messages/attention.js';
export { bookedText } from './messages/bookings.js';
export * from './messages/commands.js';
export { closedText, eventText, lateEventAlert, lateEventText } from './messages/events.js';
export { moves, periodEndedText } from './messages/moves.js';
export { actionTitle } from './messages/names.js';
export { noteText } from './messages/notes.js';
export * from './messages/refusals.js';
export { scheduleText } from './messages/schedule.js';
