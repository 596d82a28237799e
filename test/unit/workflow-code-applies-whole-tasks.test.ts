import { beforeEach, expect, it, vi } from 'vitest';
import { AppliesWholeTasks } from '../../workflows/whole-tasks.js';

const run = vi.hoisted(() => ({ historyLength: 0, historySize: 0, isReplaying: false }));
vi.mock('@temporalio/workflow', () => ({
  workflowInfo: () => ({ ...run, unsafe: { isReplaying: run.isReplaying } }),
}));

interface Step {
  /** The last event that is applied. */
  event: number;
  /** Bytes of the history when the task began. */
  size: number;
  /** Second when the task began. */
  at: number;
  isReplaying?: boolean;
  batchIndex?: number;
  isQuery?: boolean;
}
let interceptor = new AppliesWholeTasks();
beforeEach(() => {
  interceptor = new AppliesWholeTasks();
});

/** Whether the workflow's code runs. */
function apply({ event, size, at, isReplaying = false, batchIndex = 0, isQuery = false }: Step): boolean {
  Object.assign(run, { historyLength: event, historySize: size, isReplaying });
  const next = vi.fn();
  const jobs = [isQuery ? { queryWorkflow: {} } : { signalWorkflow: {} }];
  const activation = { timestamp: { seconds: at, nanos: 5 }, jobs };
  try {
    interceptor.activate({ activation, batchIndex } as never, next);
  } catch {
    expect(next).not.toHaveBeenCalled();
    return false;
  }
  return next.mock.calls.length === 1;
}

const first = { event: 3, size: 500, at: 1 };

it('events that come to a run in memory without a workflow task of their own are refused', () => {
  expect(apply({ ...first, isReplaying: true })).toBe(true);
  expect(apply({ ...first, event: 7 })).toBe(false);
  expect(apply({ ...first, event: 7 })).toBe(false);
});

const accepted: [what: string, then: Step][] = [
  ['of the next task', { event: 7, size: 900, at: 2 }],
  ['of the next task, by a clock that was set back', { event: 7, size: 900, at: 0 }],
  ['of a replay', { ...first, event: 7, isReplaying: true }],
  ['of a local activity within the task', first],
  ['of a later part of the activation', { ...first, event: 7, batchIndex: 1 }],
  ['of a query', { ...first, event: 7, isQuery: true }],
];
it.each(accepted)('an activation %s is applied', (_what, then) => {
  expect(apply(first)).toBe(true);
  expect(apply(then)).toBe(true);
});

it('where the server does not measure histories, each activation is applied', () => {
  expect(apply({ ...first, size: 0 })).toBe(true);
  expect(apply({ ...first, size: 0, event: 7 })).toBe(true);
});
