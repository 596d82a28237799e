import { ahead } from './ahead.js';
import { attention } from './attention.js';
import { commands } from './commands.js';
import { events } from './events.js';
import { moves } from './moves.js';
import { notAllowed } from './not-allowed.js';

/** What the timeline is written with: all that a workflow renders. */
export const entries = { ...events, ...commands, ...moves, ...attention, ...ahead, ...notAllowed } as const;
