import { z } from 'zod';
import { instant, moment, pageLimit, rowCursor, words } from '../http/fields.js';
import { listOf } from '../http/list-route.js';
import { expected } from '../messages/expected.js';

const parts = ['since', 'note'] as const;
export const shiftBody = z
  .strictObject({
    since: instant
      .exactOptional()
      .describe('From when on what happened was reviewed; absent: no shift is accepted, the note is added'),
    note: words(2000).exactOptional().describe('For the next shift; stored encrypted'),
  })
  .refine((body) => Object.keys(body).length > 0, expected('field.one-at-least', { names: parts }))
  .meta({ minProperties: 1 });
export const shift = z
  .object({
    shiftId: z.int(),
    at: moment,
    by: z.string(),
    since: moment.nullable().describe('Null: a note, and no shift was accepted'),
    note: z.string().nullable().describe('Null: there is none, it was deleted, or no key of ours opens it'),
  })
  .describe('A shift that a person accepted, or a note during one');

export const shiftQuery = z.strictObject({ cursor: rowCursor, limit: pageLimit });
export const shiftList = listOf(shift).describe(
  'Shifts that were accepted and notes during them, the last first',
);
