import { z } from 'zod';
import type { Instant } from '../../../platform/model.js';
import { leftOut } from '../docs.js';

/** Years 1 to 9999 in any zone: the range of the database and of every profile. */
const writable = (at: Instant) =>
  at >= Date.parse('0001-01-02T00:00:00Z') && at <= Date.parse('9999-12-30T00:00:00Z');

/** A moment in the controls: ISO 8601 with an offset, whatever the platform's profile writes. */
export const moment = z.iso
  .datetime({ offset: true, error: 'expected a date and time that exist, ISO 8601 with an offset' })
  .transform((text) => Date.parse(text))
  .refine(writable, 'expected a year from 1 to 9999');

/** An instant as the controls write it: ISO 8601, UTC. */
export const iso = (at: Instant): string => new Date(at).toISOString();

/** An id in a path. */
export const idInPath = z.coerce.number('expected an integer').int().positive();
export const byId = z.object({ id: idInPath });

/** A body that may be left out: then it is an empty object. */
export const optionalBody = <S extends z.ZodType>(schema: S) =>
  z.preprocess((body) => body ?? {}, schema).meta({ ...leftOut, type: ['object', 'null'] });
