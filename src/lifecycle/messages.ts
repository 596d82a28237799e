// The one catalogue of what people read. A text says what happened and what to do; none holds personal data (L60).

export { attentionTexts, clearedAlert, clearedText, resolvedText } from './messages/attention.js';
export * from './messages/commands.js';
export { eventText, lateEventAlert, lateEventText } from './messages/events.js';
export { actionTitle } from './messages/names.js';
export * from './messages/refusals.js';
