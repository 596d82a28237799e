import { z } from 'zod';
import { expected } from '../messages/expected.js';
import { moment, pageLimit, rowCursor, words } from './fields.js';

export const yesNo = z.enum(['Y', 'N'], { error: expected('field.either', { values: ['Y', 'N'] }) });

export const searched = words(100).exactOptional();

export const view = {
  as: z
    .enum(['supplier', 'channel'], { error: expected('field.either', { values: ['supplier', 'channel'] }) })
    .exactOptional()
    .describe("Whose view: the rental company's where the deployment is one, else the channel's"),
};

export const paging = { cursor: rowCursor, limit: pageLimit };

export const oneQuery = z.strictObject(view);

/** The fields of every answer about its age. */
export const aged = {
  asOf: moment.describe('When the platform was read; of several readings the oldest'),
  ageSeconds: z.int(),
  staleBecause: z
    .string()
    .nullable()
    .describe('Why it is older than it should be: code of the last failed reading'),
};

export const list = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    unreadable: z
      .int()
      .describe(
        'How many the platform listed that are left out: id, or approval where it counts, cannot be read',
      ),
    ...aged,
  });

export const modified = {
  modifierName: z.string().nullable().describe('Null for viewers'),
  modifiedAt: moment.nullable(),
};
