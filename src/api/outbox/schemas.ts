import { z } from 'zod';
import { postStates } from '../../store/outbox/dead-letters.js';
import { idText, moment, pageLimit, rowCursor, words } from '../http/fields.js';
import { listOf } from '../http/list-route.js';

const destination = z.enum(['alerts', 'forward']).describe('alerts: ALERT_URL; forward: FORWARD_URL');
const state = z.enum(postStates).describe('waiting: it is tried again; dead: refused for too long');

export const outboxQuery = z.strictObject({
  destination: destination.exactOptional(),
  state: state.exactOptional(),
  cursor: rowCursor,
  limit: pageLimit,
});

export const outboxList = listOf(
  z.object({
    id: z.int(),
    destination,
    key: z.string().describe('The posts of one key go one after the other'),
    messageId: z.string().describe('Its webhook-id'),
    state,
    createdAt: moment,
    failures: z.int(),
    lastError: z.string().nullable().describe('Code of the last failure, such as HTTP_422'),
    deadAt: moment.nullable().describe('When it was given up; null: it waits'),
  }),
).describe('Posts that their receivers have not accepted, newest first');

export const outboxParams = z.object({ id: idText.describe('Number of the post') });
const reason = words(500).describe('For the audit');
export const resendBody = z.strictObject({ reason });
export const resendSelectionBody = z.strictObject({ reason, destination: destination.exactOptional() });
export const resent = z
  .object({ posts: z.array(z.int()).describe('Their numbers; 1,000 at most, the oldest first') })
  .describe('Dead letters that wait for their receiver again');
