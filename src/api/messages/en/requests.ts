import type { Locale } from '../../../domain/shared/message.js';
import { type FieldLine, joinLines } from './fields.js';

/** The form of a request. */
export const requests = {
  'api.no-path': ({ docs }: { docs: boolean }) =>
    `The path does not exist. Those that exist are ${docs ? 'listed at /docs' : 'those that docs/ of the project describes'}.`,
  'api.no-callbacks-here': () => 'This port accepts no callbacks. Send them to the port CALLBACK_PORT.',
  'api.no-console': () => 'The console is not part of this build. Build it with npm run build.',
  'api.method': ({ method, allow }: { method: string; allow: string }) =>
    `The path does not accept ${method}. Send ${allow}.`,
  'api.bad-escape': () => 'The path has an invalid percent-escape. Percent-encode the path.',
  'api.id-too-long': () => 'The id in the path is too long. Send 256 characters at most.',
  'api.unreadable': () => 'The request could not be read. Check its form, then send it again.',

  'api.body-incomplete': () =>
    'The body is incomplete: its length differs from Content-Length. Send it again.',
  'api.body-too-large': () => 'The body is too large. Send 64 KiB of JSON at most.',
  'api.content-type': () => 'The content type is not accepted. Send `application/json`.',
  'api.not-json': () => 'The body is not JSON. Send one JSON document.',
  /** Each line: a field, and what its schema expects. */
  'api.fields': ({ lines }: { lines: readonly FieldLine[] }, locale: Locale) => joinLines(lines, locale),
  'api.filter-of-open': ({ fields }: { fields: readonly string[] }) =>
    fields.map((field) => `${field}: expected closed=false, or none`).join('; '),
  'api.period-reversed': ({ start, end }: { start: string; end: string }) =>
    `${end}: expected a moment after ${start}`,
  'api.cursor': () =>
    'The cursor is unknown. Send nextCursor of an earlier answer to the same query, or no cursor.',
  /** F15. */
  'api.key-of-proposal': () =>
    'The Idempotency-Key is that of a proposed hold. Send another, such as a UUID.',

  'api.not-a-form': () =>
    'The body is not a form. Send `multipart/form-data` with the photo in the file field `image`.',
  'api.several-files': () => 'The form has several files. Send one photo, in the field `image`.',
  'api.too-many-fields': () => 'The form has too many fields. Send only those of the action.',
  'api.too-many-parts': () => 'The form has too many parts. Send only those of the action.',
  'api.forbidden-field': () => 'The form has a field of a forbidden name. Send only those of the action.',
  'api.photo-missing': () => 'The photo is missing. Send it in the file field `image` of the form.',
  'api.photo-too-large': () => 'The photo is too large. Send 10 MiB at most.',
  'api.photo-pixels': () => 'The photo has too many pixels. Send 50 million at most.',
  'api.photo-type': () => 'The photo type is not accepted. Send a JPEG, PNG or WebP file.',
} as const;
