import type { Translation } from '../../../shared/message.js';
import type { en } from '../en/index.js';
import { ahead } from './ahead.js';
import { attention } from './attention.js';
import { commands } from './commands.js';
import { events } from './events.js';
import { moves } from './moves.js';
import { notAllowed, outcomes, refusals } from './refusals.js';

/** All sentences about a reservation in Korean. */
export const ko: Readonly<Translation<typeof en>> = {
  ...events,
  ...commands,
  ...moves,
  ...attention,
  ...ahead,
  ...notAllowed,
  ...refusals,
  ...outcomes,
};
