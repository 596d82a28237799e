import { z } from 'zod';
import { birth, phone } from '../../platform/profiles/codecs/values.js';
import { instant, moment, positiveId, words } from '../http/fields.js';

/** Body of POST /api/reservations: G11 in the model's own shape, whatever the wire profile. */
export const bookingBody = z.strictObject({
  productId: positiveId,
  startAt: instant,
  endAt: instant,
  pickupAddress: words(500),
  driver: z.strictObject({
    name: words(100),
    birth,
    phone,
    licenseNumber: words(50),
    address: words(500),
  }),
  companionInfo: z
    .strictObject({
      phone: phone.exactOptional(),
      birth: birth.exactOptional(),
      name: words(100).exactOptional(),
      licenseNumber: words(50).exactOptional(),
    })
    .exactOptional(),
  pickupMemo: words(1000).exactOptional(),
});

export const booked = z
  .object({
    reservationId: z.int(),
    status: z
      .string()
      .nullable()
      .describe("The platform's own string, stored raw (G12); null where its answer was lost"),
    carNumber: z.string().nullable(),
    pickupAt: moment.describe('As requested, where the platform reported nothing'),
    returnAt: moment,
    settledBy: z
      .enum(['answer', 'callback', 'person'])
      .describe('How it is known: by the answer, by a callback that shows it, or by a person'),
  })
  .describe('Booked');

export const bookingPending = z
  .object({
    commandId: z.string(),
    outcome: z.enum(['out', 'unknown']),
    code: z.string().nullable().describe('What went wrong, where the outcome is unknown'),
  })
  .describe(
    'The outcome of the booking is not known yet; the same Idempotency-Key, or Location, returns it later',
  );
