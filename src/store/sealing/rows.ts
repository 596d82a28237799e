/**
 * The rows that sealed columns are bound to, for tables that different modules write and read. The id is that of the event
 * or message, because the database numbers rows only while it writes them.
 */
export const inboxRow = (eventId: string) => `inbox/${eventId}`;
export const outboxRow = (messageId: string) => `outbox/${messageId}`;
