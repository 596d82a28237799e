import { z } from 'zod';
import { timestamp } from '../../platform/profiles/codecs/timestamp.js';
import { expected } from '../messages/expected.js';

/** Reads a number in a path or query, where everything is text. Other text stays text, and the schema refuses it. */
const numberOf = (text: unknown) =>
  typeof text === 'string' && /^-?\d{1,16}$/.test(text) ? Number(text) : text;

const wholeNumber = (error: string) => z.int({ error });

/** An id in a JSON body: one above 2^53-1 has lost digits while it was parsed, so it is refused, not rounded. */
const fromOne = expected('field.whole-number-from', { from: 1 });
export const positiveId = wholeNumber(fromOne).positive(fromOne);

/** An id in a path or query: above 2^53-1 it would not be exact. */
const anId = expected('field.id', {});
export const idText = z.preprocess(numberOf, wholeNumber(anId).positive(anId));

/** A code or count in a query. */
export const countText = z.preprocess(
  numberOf,
  wholeNumber(expected('field.whole-number', {})).min(0, expected('field.whole-number-from', { from: 0 })),
);

const example = '2026-11-21T09:00:00+09:00';

/** A moment in an answer: RFC 3339 in the service's zone. */
export const moment = z.string().meta({ format: 'date-time', examples: [example] });

/** A moment from outside, read as milliseconds since the epoch: RFC 3339; an offset without a colon is accepted too. */
export const instant = timestamp(0, ':').meta({
  format: 'date-time',
  description: `RFC 3339, such as ${example}`,
});

/** Personal data of a person in an answer. */
export const person = { name: z.string(), birth: z.string(), phone: z.string(), licenseNumber: z.string() };
/** Personal data of a driver in an answer; a part is null where the platform sent something that cannot be read. */
export const driver = {
  name: z.string().nullable(),
  birth: z.string().nullable(),
  phone: z.string().nullable(),
  licenseNumber: z.string().nullable(),
  address: z.string().nullable(),
};
/** A company or a service in an answer. */
export const named = z.object({ id: z.int(), name: z.string().nullable() });

const control = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f';
const written = new RegExp(`^[^${control}]*[^\\s${control}][^${control}]*$`);

/** Text of a person: not blank, no control characters but tabs and line breaks, at most `max` characters; trimmed. */
export const words = (max: number) =>
  z
    .string()
    .regex(written, expected('field.text', {}))
    .transform((text) => text.trim())
    // JSON Schema counts characters, a string's length UTF-16 units
    .refine((text) => [...text].length <= max, expected('field.text-at-most', { max }))
    .meta({ maxLength: max });

export const reservationParams = z.object({ id: idText.describe('Reservation id') });

/** The caller's command id: it becomes part of workflow and update ids, so it holds nothing personal (L60). */
export const commandId = z
  .string({
    error: expected('field.key-missing', {}),
  })
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, expected('field.key', {}));

export const writeHeaders = z.looseObject({
  'idempotency-key': commandId.describe(
    'The command id: a repeated request with the same one acts once (L21)',
  ),
});
/** Of writes that took no key at first. */
export const optionalWriteHeaders = z.looseObject({
  'idempotency-key': commandId
    .exactOptional()
    .describe('A repeated request with the same one gets the first answer (L21)'),
});
export const commandParams = z.object({ id: idText.describe('Reservation id'), commandId });

/** A cursor that is the number of a row. */
export const rowCursor = z
  .string()
  .regex(/^\d{1,15}$/, expected('field.cursor', {}))
  .exactOptional();

const upTo500 = expected('field.whole-number-between', { from: 1, to: 500 });
const rows = wholeNumber(upTo500).min(1, upTo500).max(500, upTo500);
export const rowLimit = z.preprocess(numberOf, rows);
export const pageLimit = z.preprocess(numberOf, rows.default(100));

/** The platform's text, only where the wire profile declares that it names no person; never shown to viewers. */
export const platformMessage = z
  .string()
  .exactOptional()
  .describe("The platform's own text of a refusal, where the wire profile declares it free of personal data");
