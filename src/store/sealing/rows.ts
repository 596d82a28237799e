/**
 * To what a sealed column is bound where its table is written and read in different places. The database numbers rows
 * while it writes them, so the id is the event's or message's own.
 */
export const inboxRow = (eventId: string) => `inbox/${eventId}`;
export const outboxRow = (messageId: string) => `outbox/${messageId}`;
