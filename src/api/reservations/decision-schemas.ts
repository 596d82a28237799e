import { z } from 'zod';
import { attentionKinds, statusCodes } from '../../domain/reservation/index.js';
import { idText, instant, positiveId, words } from '../http/fields.js';
import { expected } from '../messages/expected.js';

const reason = words(500);
export const assertedStatus = z.literal([...statusCodes], {
  error: expected('field.one-of', { values: statusCodes }),
});

export const resolveBody = z.strictObject({
  outcome: z.enum(['applied', 'rejected'], {
    error: expected('field.either', { values: ['applied', 'rejected'] }),
  }),
  reason,
});

export const attentionParams = z.object({
  id: idText.describe('Reservation id'),
  kind: z.enum(attentionKinds, { error: expected('field.one-of', { values: attentionKinds }) }),
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
