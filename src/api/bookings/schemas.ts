import { z } from 'zod';
import { bookingStates } from '../../domain/booking/types.js';
import { commandId, moment, pageLimit, person, positiveId, rowCursor, words } from '../http/fields.js';
import { listOf } from '../http/list-route.js';
import { expected } from '../messages/expected.js';

export const bookingParams = z.object({
  commandId: commandId.describe('The Idempotency-Key it was made with'),
});

export const bookingQuery = z.strictObject({
  state: z
    .enum(bookingStates, { error: expected('field.one-of', { values: bookingStates }) })
    .exactOptional(),
  cursor: rowCursor,
  limit: pageLimit,
});

const reason = words(500);
const resolution = { error: expected('field.booking-outcome', {}) };

/** A lost booking became a reservation, or was not made (F35). */
export const resolveBookingBody = z.discriminatedUnion(
  'outcome',
  [
    z.strictObject({
      outcome: z.literal('applied'),
      reservationId: positiveId,
      reason,
    }),
    z.strictObject({ outcome: z.literal('rejected'), reason }),
  ],
  resolution,
);

const item = {
  commandId: z.string(),
  state: z.enum(bookingStates),
  by: z.string(),
  productId: z.int(),
  period: z.object({ start: moment, end: moment }).describe('As requested'),
  createdAt: moment,
  code: z.string().nullable().describe('Why the outcome is unknown, or the code of a refusal'),
  reservationId: z.int().nullable(),
  status: z.string().nullable().describe("The platform's own string, stored raw (G12)"),
  settledBy: z.enum(['answer', 'callback', 'person']).nullable(),
  settledAt: moment.nullable(),
};

export const bookingList = listOf(z.object(item)).describe('Bookings, newest first');

/** One booking; personal data is null for viewers (L60). */
export const bookingShown = z
  .object({
    ...item,
    candidates: z
      .array(
        z.object({
          reservationId: z.int(),
          carNumber: z.string().nullable(),
          period: z.object({ start: moment, end: moment }),
          productFits: z.boolean().describe('false: its callback names no product'),
        }),
      )
      .describe('Reservations that it may have become (F31)'),
    alike: z.int().describe('Other open bookings that only their answers distinguish from this one (F33)'),
    request: z
      .object({
        pickupAddress: z.string(),
        driver: z.object({ ...person, address: z.string() }),
        companionInfo: z.object(person).partial().exactOptional(),
        pickupMemo: z.string().exactOptional(),
      })
      .nullable()
      .describe('The request; stored until its outcome is known'),
    message: z.string().nullable().describe("The platform's own text of a refusal"),
  })
  .describe('One booking');
