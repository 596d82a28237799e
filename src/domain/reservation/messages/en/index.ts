import { entries } from './entries.js';
import { outcomes, refusals } from './refusals.js';

/** All sentences about a reservation in English; their codes and data are those of every language. */
export const en = { ...entries, ...refusals, ...outcomes } as const;
