import { z } from 'zod';
import type { WireProfile } from '../../../platform/profile.js';
import type { JournalFilter } from '../../store/journal.js';
import { moment } from './moment.js';
import { resolveOperation } from './operation-name.js';

const text = z.string().min(1).max(300).meta({ pattern: '^[^\\u0000]*$' });

/** The filters of the journal; numbers are text in an address, numbers in a body. */
const fields = (integer: z.ZodType<number>, status: z.ZodType<number>) => ({
  kind: z.enum(['request', 'callback']).exactOptional(),
  operation: text
    .describe("an operation's name, the end of its path (dispatch/start), or callback:<kind>")
    .exactOptional(),
  reservationId: integer.exactOptional(),
  role: z.enum(['channel', 'supplier']).exactOptional(),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).exactOptional(),
  path: text.describe('its beginning').exactOptional(),
  status: status.exactOptional(),
  effect: text
    .describe('its beginning: read, applied, refused:CODE, fault:kind, acknowledged')
    .exactOptional(),
  webhookId: text.exactOptional(),
  from: moment.exactOptional(),
  to: moment.exactOptional(),
});
export const filterInAddress = fields(z.coerce.number().int(), z.coerce.number().int().min(0).max(999));
export const filterInBody = fields(z.int(), z.int().min(0).max(999));

/** @throws `Refusal` NOT_FOUND for an unknown operation */
export function readFilter(profile: WireProfile, filter: JournalFilter): JournalFilter {
  const { operation } = filter;
  if (operation === undefined || operation.startsWith('callback:')) return filter;
  return { ...filter, operation: resolveOperation(profile, operation, 'operation') };
}
