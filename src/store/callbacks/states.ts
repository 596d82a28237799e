/**
 * `received`: stored and acknowledged; `sent`: in the workflow's history; `done`: it has its verdict; `dead`: the
 * relay gave it up (`lastError` says why), until a person puts it back.
 */
export const inboxStates = ['received', 'sent', 'done', 'dead'] as const;
export type InboxState = (typeof inboxStates)[number];
