import { z } from 'zod';
import { type AttentionKind, attentionKinds, grades, verdicts } from '../../../domain/reservation/index.js';
import { actionPaths } from '../../player/actions.js';
import { count, either, fields, moment, oneOf, perWord } from './pieces.js';

const none = 'none';
const proposed = ['retrieve-car', 'overdue-return'] as const;
type Proposed = (typeof proposed)[number];
const outcomes = ['queued', 'out', 'waiting', 'suspended', 'applied', 'rejected', 'unknown'] as const;

const status = z.union([z.int(), z.literal('unknown')], {
  error: 'expected a status code such as 15, or unknown',
});
const kind = oneOf(attentionKinds);
const noItems = z
  .literal(none, { error: 'expected none, a list of kinds, or kinds with since when' })
  .transform(() => [] as AttentionKind[]);
const command = either(
  {
    word: oneOf(outcomes).transform((outcome) => ({ outcome })),
    map: fields({
      outcome: oneOf(outcomes),
      settledBy: oneOf(['answer', 'callback', 'person'] as const).optional(),
      code: z.string({ error: 'expected a code' }).optional(),
      attempts: count.optional(),
    }),
  },
  'an outcome, or outcome with settledBy, code, attempts',
);
const photo = oneOf(['none', 'current', 'outdated'] as const);
const person = oneOf(['none', 'assigned'] as const);

/** The facts that must hold, each read where operations see it: reservation, timeline, platform, alerts. */
export const see = fields({
  known: z.boolean({ error: 'expected true or false' }).optional(),
  status: status.optional(),
  grade: oneOf(grades).optional(),
  expected: either({ word: z.union([z.int(), z.literal(none)]) }, 'a status code or none').optional(),
  expectedBy: either({ word: z.union([z.literal(none), moment]) }, 'a moment or none').optional(),
  display: oneOf(['assigned-car', 'in-use', 'use-completed', none] as const).optional(),
  attention: either(
    { word: noItems, list: z.array(kind), map: perWord(attentionKinds, moment) },
    'none, kinds, or kinds with since when',
  ).optional(),
  raised: perWord(attentionKinds, count).optional(),
  commands: perWord(actionPaths, command).optional(),
  marks: z.array(z.string()).optional(),
  start: moment.optional(),
  end: moment.optional(),
  car: oneOf(['first', 'another'] as const).optional(),
  companion: oneOf(['none', 'registered'] as const).optional(),
  staff: perWord(['dispatch', 'recall'], person).optional(),
  photos: perWord(['dispatch/parkingImage', 'dispatch/carImage', 'recall/carImage'], photo).optional(),
  danger: either(
    { word: z.union([z.literal(none), moment]) },
    'none, or when the next entry begins',
  ).optional(),
  proposals: either(
    { word: z.literal(none).transform(() => [] as Proposed[]), list: z.array(oneOf(proposed)) },
    'none or reasons',
  ).optional(),
  note: oneOf(['none', 'pending', 'applied', 'rejected', 'unknown'] as const).optional(),
  memos: count.optional(),
  verdicts: perWord(verdicts, count).optional(),
  timeline: z
    .array(
      z
        .string({ error: 'expected rule ids such as L43' })
        .regex(/^[LF]\d\d$/, 'expected rule ids such as L43'),
    )
    .optional(),
  requests: perWord(['book', ...actionPaths], count).optional(),
  applied: perWord(['book', ...actionPaths], count).optional(),
  platform: z.int({ error: 'expected the status code on the platform' }).optional(),
  alerts: z
    .array(z.string().regex(/^[a-z-]+ (raised|cleared)$/, 'expected alerts such as return-late raised'))
    .optional(),
  closed: z.boolean({ error: 'expected true or false' }).optional(),
});
export type See = z.output<typeof see>;
