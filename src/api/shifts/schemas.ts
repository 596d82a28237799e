import { z } from 'zod';
import { instant, moment, pageLimit, rowCursor, words } from '../http/fields.js';
import { listOf } from '../http/list-route.js';

export const shiftBody = z.strictObject({
  since: instant.describe('From when on what happened was reviewed'),
  note: words(2000).exactOptional().describe('For the next shift; stored encrypted'),
});
export const shift = z
  .object({
    shiftId: z.int(),
    at: moment,
    by: z.string(),
    since: moment,
    note: z.string().nullable(),
  })
  .describe('A shift that a person accepted');

export const shiftQuery = z.strictObject({ cursor: rowCursor, limit: pageLimit });
export const shiftList = listOf(shift).describe('Shifts that were accepted, the last first');
