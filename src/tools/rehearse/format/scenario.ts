import { z } from 'zod';
import { duration, fields, oneOf, sentence } from './pieces.js';
import { step } from './step.js';

const policy = fields({
  dispatchLead: duration.optional(),
  overdueGrace: duration.optional(),
  lateLadder: z
    .array(duration)
    .refine((steps) => steps.every((step, index) => step > (steps[index - 1] ?? -1)), {
      error: 'expected rising durations',
    })
    .optional(),
  recallOverdue: duration.optional(),
  notAnnounced: duration.optional(),
  incomplete: duration.optional(),
  ambiguous: duration.optional(),
  settle: duration.optional(),
  holdProposal: duration.optional(),
  dangerLead: duration.optional(),
  keyProbe: duration.optional(),
});

export const scenario = fields({
  title: sentence,
  story: sentence,
  rules: z
    .array(
      z
        .string({ error: 'expected a rule id such as L43' })
        .regex(/^[LF]\d\d$/, 'expected a rule id such as L43'),
      {
        error: 'expected a list of rule ids such as [L43]',
      },
    )
    .min(1, 'name at least one rule'),
  rental: fields({ starts: duration, lasts: duration }),
  roles: z.array(oneOf(['channel', 'supplier'] as const)).default(['channel', 'supplier']),
  policy: policy.default({}),
  real: z.boolean({ error: 'expected true or false' }).default(false),
  steps: z.array(step, { error: 'expected a list of steps' }).min(1, 'expected at least one step'),
});
export type ScenarioFile = z.output<typeof scenario>;
