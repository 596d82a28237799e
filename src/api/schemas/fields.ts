import { z } from 'zod';
import { timestamp } from '../../platform/profiles/codecs/timestamp.js';

/** An id in a path or query: above 2^53-1 it could not be told from its neighbours. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'expected a whole number from 1 on, such as 8421')
  .transform(Number)
  .refine(Number.isSafeInteger, 'expected a whole number up to 2^53-1');

/** A moment from outside: ISO 8601 with an offset; read as milliseconds since the epoch. */
export const instant = timestamp(0, ':').describe(
  'ISO 8601 with an offset, such as 2026-11-21T09:00:00+09:00',
);

export const reservationParams = z.object({ id: idText.describe('Reservation id') });

/** The caller's command id: it becomes part of workflow and update ids, so it holds nothing personal (L60). */
export const commandId = z
  .string({
    error: 'expected the header on every write: a new UUID for a new action, the same one to repeat it',
  })
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'expected 1 to 128 letters, digits or . _ : -, such as a UUID');

export const writeHeaders = z.looseObject({
  'idempotency-key': commandId.describe('The command id: pressing twice with the same one acts once (L21)'),
});
export const commandParams = z.object({ id: idText.describe('Reservation id'), commandId });

/** Free text of a person. */
export const words = (max: number) =>
  z.string().trim().min(1, 'expected text, not blanks').max(max, `expected at most ${max} characters`);

/** A cursor that is the number of a row. */
export const rowCursor = z
  .string()
  .regex(/^\d{1,15}$/, 'expected nextCursor of an earlier answer')
  .exactOptional();

export const pageLimit = z
  .string()
  .regex(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, 'expected a whole number from 1 to 500')
  .transform(Number)
  .default(100);
