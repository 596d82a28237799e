import { z } from 'zod';
import { ofCar } from '../cars/list-fields.js';
import { instant, moment, pageLimit, words } from '../http/fields.js';
import { listOf } from '../http/list-route.js';
import { expected } from '../messages/expected.js';

export const activityQuery = z.strictObject({
  since: instant.exactOptional().describe('From this moment on; absent: the last 24 hours'),
  by: words(200).exactOptional().describe('Name of a person'),
  cursor: z.string().max(128, expected('field.cursor', {})).exactOptional(),
  limit: pageLimit,
});

export const activityList = listOf(
  z.object({
    id: z.string(),
    at: moment,
    by: z
      .string()
      .nullable()
      .describe(
        'Null: an attention item was raised, cleared itself, or was left open by a reservation that closed',
      ),
    action: z
      .string()
      .describe(
        'Such as dispatch.start, hold.create, attention.raise; attention.leave: open at the closing (L47)',
      ),
    subject: z.string().describe('Such as reservation/8421'),
    data: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('Ids and codes; of a command its `outcome`, once there is one'),
    ...ofCar,
  }),
).describe('What staff did, and which attention items were raised, cleared and left open; newest first');
