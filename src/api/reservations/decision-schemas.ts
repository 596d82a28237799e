import { z } from 'zod';
import { attentionKinds, statusCodes } from '../../domain/reservation/index.js';
import { idText, instant, positiveId, words } from '../http/fields.js';

const reason = words(500);
export const assertedStatus = z.literal([...statusCodes], {
  error: `expected one of ${statusCodes.join(', ')}`,
});

export const resolveBody = z.strictObject({
  outcome: z.enum(['applied', 'rejected'], { error: 'expected applied or rejected' }),
  reason,
});

export const attentionParams = z.object({
  id: idText.describe('Reservation id'),
  kind: z.enum(attentionKinds, { error: `expected one of ${attentionKinds.join(', ')}` }),
});
export const resolveAttentionBody = z.strictObject({ reason });

/** The facts that a person asserts; at least one beside the reason. */
export const assertBody = z
  .strictObject({
    status: assertedStatus.exactOptional(),
    carId: positiveId.exactOptional(),
    startAt: instant.exactOptional(),
    endAt: instant.exactOptional(),
    reason,
  })
  .meta({ minProperties: 2 });
