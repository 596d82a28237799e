import { z } from 'zod';
import { alertKinds } from '../../store/alerts/kinds.js';
import { instant, moment, pageLimit, rowCursor } from '../http/fields.js';
import { listOf } from '../http/list-route.js';

export const alertQuery = z.strictObject({
  state: z.enum(['open', 'all']).default('open').describe('`all`: those that are cleared too'),
  kind: z.enum(alertKinds).exactOptional(),
  since: instant
    .exactOptional()
    .describe('Open at this moment or later; with `state=all` also those that are cleared since'),
  cursor: rowCursor,
  limit: pageLimit,
});

export const alertList = listOf(
  z.object({
    kind: z.string(),
    subject: z.string().describe('What exactly it is about, such as a role'),
    since: moment,
    message: z
      .string()
      .describe(
        "What happened, and what to do, in the caller's language; English where an earlier release wrote it",
      ),
    path: z.string().describe('Where the console shows what it is about'),
    clearedAt: moment.nullable(),
  }),
).describe('What calls for operations and belongs to no reservation, newest first');
