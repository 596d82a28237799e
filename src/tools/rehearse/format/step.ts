import { z } from 'zod';
import { actionPaths, dispatchActions, recallActions } from '../../player/actions.js';
import { count, duration, either, fields, moment, oneOf, sentence } from './pieces.js';
import { see } from './see.js';

/** `dispatch` and `recall` alone are all their steps in the recommended order. */
const staffActions = oneOf(['dispatch', 'recall', ...actionPaths]).transform((word) =>
  word === 'dispatch' ? dispatchActions : word === 'recall' ? recallActions : [word],
);

const staff = either(
  {
    word: staffActions.transform((actions) => ({ actions })),
    list: z.array(staffActions).transform((lists) => ({ actions: lists.flat() })),
    map: fields({
      does: staffActions,
      override: sentence.optional(),
      id: sentence.optional(),
      note: sentence.optional(),
    }).transform(({ does, ...rest }) => ({ actions: does, ...rest })),
  },
  'an action, a list of actions, or does with override, id or note',
).transform((value) => ({
  who: 'staff' as const,
  override: undefined,
  id: undefined,
  note: undefined,
  ...value,
}));

const customer = oneOf(['book', 'start-use', 'return', 'cancel'] as const).transform((move) => ({
  who: 'customer' as const,
  move,
}));

const website = either(
  {
    word: oneOf(actionPaths).transform((action) => ({ action })),
    map: fields({
      start: moment.optional(),
      end: moment.optional(),
      car: oneOf(['another', 'first'] as const).optional(),
      companion: oneOf(['added', 'removed'] as const).optional(),
      driver: oneOf(['changed'] as const).optional(),
      entry: fields({ from: moment, to: moment }).optional(),
    }),
  },
  'an action done there, or start, end, car, companion, driver, entry',
).transform((change) => ({ who: 'website' as const, change }));

const reason = { because: sentence };
const manager = fields({
  asserts: fields({
    status: count.optional(),
    start: moment.optional(),
    end: moment.optional(),
    car: oneOf(['first', 'another'] as const).optional(),
  }).optional(),
  settles: oneOf(actionPaths).optional(),
  as: oneOf(['applied', 'rejected'] as const).optional(),
  resolves: sentence.optional(),
  ...reason,
}).transform((act, context) => {
  const { asserts, settles, resolves } = act;
  if ([asserts, settles, resolves].filter((one) => one !== undefined).length !== 1)
    context.addIssue('a manager asserts, settles or resolves: write one of asserts, settles or resolves');
  if (settles !== undefined && act.as === undefined) context.addIssue('give as: applied or as: rejected');
  return { who: 'manager' as const, act };
});

export const callAnswers = [
  'timeout',
  'timeout-after-applying',
  'reset',
  'reset-after-applying',
  '503',
  '503-after-applying',
  '404',
  '429',
  'redirect',
  'broken-body',
  'illegal-state',
] as const;
const callbackWord = either(
  { word: z.union([z.int(), oneOf(['registration', 'update', 'car', 'status', 'all'] as const)]) },
  'a status code, registration, update, car, status or all',
);
const times = count.optional();
const calls = { word: oneOf([...actionPaths, 'book', 'memo', 'all']) };
const platform = fields({
  loses: callbackWord.optional(),
  delays: callbackWord.optional(),
  repeats: callbackWord.optional(),
  garbles: callbackWord.optional(),
  by: duration.optional(),
  times,
  answers: either(calls, 'an action').optional(),
  with: either({ word: oneOf(callAnswers) }, 'an answer').optional(),
  retryAfter: duration.optional(),
  key: oneOf(['revoked', 'restored'] as const).optional(),
  sends: fields({
    event: oneOf(['registration', 'update', 'status'] as const),
    status: z.int({ error: 'expected a status code' }).optional(),
    start: moment.optional(),
    end: moment.optional(),
    broken: z.boolean({ error: 'expected true or false' }).optional(),
  }).optional(),
}).transform((fault, context) => {
  const { loses, delays, repeats, garbles, by, answers, key, sends } = fault;
  const faults = [loses, delays, repeats, garbles, answers, key, sends].filter((one) => one !== undefined);
  if (faults.length !== 1)
    context.addIssue(
      'state what goes wrong, one thing a step: loses, delays, repeats, garbles, answers, key or sends',
    );
  if ((delays !== undefined) !== (by !== undefined))
    context.addIssue('delays and by belong together, such as { delays: 20, by: 2h }');
  if ((answers !== undefined) !== (fault.with !== undefined))
    context.addIssue('answers and with belong together, such as { answers: dispatch/start, with: 404 }');
  return { who: 'platform' as const, fault };
});

const handover = oneOf(['worker-stops', 'worker-starts'] as const).transform((change) => ({
  who: 'handover' as const,
  change,
}));

const deeds = { staff, customer, website, manager, platform, handover };
const actors = Object.keys(deeds) as (keyof typeof deeds)[];
export type Deed = {
  [K in keyof typeof deeds]: z.output<(typeof deeds)[K]>;
}[keyof typeof deeds];

/** One step: when, who does what, how it must be answered, and what must be seen then. */
export const step = fields({
  at: moment.optional(),
  after: duration.optional(),
  staff: staff.optional(),
  customer: customer.optional(),
  website: website.optional(),
  manager: manager.optional(),
  platform: platform.optional(),
  handover: handover.optional(),
  answer: z
    .string({ error: 'expected an answer' })
    .regex(
      /^(applied|unknown|waiting|suspended|queued|out|(refused|rejected) [A-Z0-9_]+)$/,
      'expected applied, unknown, waiting, suspended, queued, or refused or rejected with a code, such as refused STATUS_BEHIND',
    )
    .optional(),
  see: see.optional(),
}).transform((value, context) => {
  const acting = actors.filter((actor) => value[actor] !== undefined);
  if (acting.length > 1) context.addIssue(`${acting.join(' and ')} act in one step; write one step for each`);
  if (value.at !== undefined && value.after !== undefined)
    context.addIssue('at and after contradict each other; leave one out');
  const deed = acting[0] === undefined ? null : (value[acting[0]] ?? null);
  if (deed === null && value.answer !== undefined)
    context.addIssue('answer belongs to a step with an action');
  if (deed === null && value.see === undefined && value.at === undefined && value.after === undefined)
    context.addIssue('the step does nothing; state who acts, a time, or what is to be seen');
  return {
    when: value.at ?? value.after ?? null,
    deed: deed as Deed | null,
    answer: value.answer ?? 'applied',
    see: value.see ?? null,
  };
});
