/**
 * `received`: stored and acknowledged; `sent`: in the workflow's history; `done`: it has its verdict; `dead`: the
 * relay gave it up (`lastError` has the code), until a person replays it.
 */
export const inboxStates = ['received', 'sent', 'done', 'dead'] as const;
export type InboxState = (typeof inboxStates)[number];
