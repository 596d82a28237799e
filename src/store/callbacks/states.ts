/**
 * `received`: stored and acknowledged, also for the first moments after its workflow has it; `sent`: in the workflow's history, without
 * a verdict yet; `done`: it has its verdict; `dead`: the relay gave it up (`lastError` says why), until a person puts it back.
 */
export const inboxStates = ['received', 'sent', 'done', 'dead'] as const;
export type InboxState = (typeof inboxStates)[number];
