import { z } from 'zod';
import type { Instant } from '../../../platform/model.js';

/** A moment in the controls: ISO 8601 with an offset, whatever the platform's profile writes. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** An instant as the controls write it: ISO 8601, UTC. */
export const iso = (at: Instant): string => new Date(at).toISOString();

export const byId = z.object({ id: z.coerce.number().int().positive() });
