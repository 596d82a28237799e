import { z } from 'zod';

const moment = z.string().meta({ format: 'date-time' });
const period = z.object({ start: moment, end: moment });

/** Members of a problem document beside those of RFC 9457; each code has the ones that help with it. */
export const problemMembers = z.strictObject({
  fields: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe('The fields that do not fit: dotted path (empty for the whole), and what would be right'),
  overridable: z
    .boolean()
    .optional()
    .describe('true: the action is sent with `override: true` and a reason (L20, L27)'),
  platformCode: z.string().nullable().optional().describe("The code of the platform's refusal"),
  platformMessage: z
    .string()
    .optional()
    .describe("The platform's own text, where the wire profile declares it free of personal data"),
  commandId: z.string().optional().describe('The Idempotency-Key of the refused request'),
  owner: z.string().optional().describe('Who has the attention item'),
  holdId: z.string().optional().describe('The hold that the refusal is about'),
  inTheWay: z
    .array(
      period.extend({
        scheduleId: z.int(),
        type: z.enum(['R', 'S']),
        holdId: z.string().nullable().describe('Where a hold of this deployment made the entry'),
      }),
    )
    .optional()
    .describe('Entries of the schedule that overlap the period (F08)'),
  free: z
    .object({ before: period.nullable(), after: period.nullable() })
    .optional()
    .describe('The nearest free periods of the same length (F08)'),
  reservationStatus: z
    .int()
    .nullable()
    .optional()
    .describe('Status code of the reservation; null: none known'),
  display: z
    .enum(['assigned-car', 'in-use', 'use-completed'])
    .nullable()
    .optional()
    .describe('What a channel shows its customer'),
  checks: z.record(z.string(), z.string()).optional().describe('What was checked, each `ok` or why not'),
});
export type ProblemMembers = z.input<typeof problemMembers>;
