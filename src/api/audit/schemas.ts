import { z } from 'zod';
import { ofCar } from '../cars/list-fields.js';
import { instant, moment, pageLimit, rowCursor } from '../http/fields.js';
import { listOf } from '../http/list-route.js';
import { expected } from '../messages/expected.js';

const text = z
  .string()
  .min(1)
  .max(200, expected('field.text-at-most', { max: 200 }))
  .exactOptional();
export const auditQuery = z.strictObject({
  by: text.describe('Name of a token'),
  action: text.describe('Such as inbox.replay'),
  subject: text.describe('Such as inbox/17'),
  since: instant.exactOptional().describe('From this moment on'),
  cursor: rowCursor,
  limit: pageLimit,
});

export const auditList = listOf(
  z.object({
    id: z.int(),
    at: moment,
    by: z.string(),
    action: z.string(),
    subject: z.string(),
    reason: z.string().nullable(),
    reasonCode: z.string().nullable().describe('Why the reason cannot be shown: its key is not there'),
    commandId: z.string().nullable().describe('The `Idempotency-Key` of what a workflow did'),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    ...ofCar,
  }),
).describe('What staff changed beside the reservations, newest first');
