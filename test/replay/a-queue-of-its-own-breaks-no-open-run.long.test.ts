// Activities moved to queues of their own in 0.4.0: a run of 0.3.0 whose activity no worker started has to replay.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

it('a run whose activity timed out before any worker started it replays where the activity has a queue of its own', async () => {
  const { run, before, work } = await start('posting');
  await work(run.result());
  const history = await run.fetchHistory();
  expect(timeoutsIn(history)).toBe(1);
  await expectReplay(history, before, await bundle('after'));
});

it('a run in which a call failed in the task in which a timer fired replays: what followed each comes in the same order', async () => {
  const { run, before, work } = await start('postingAtADeadline');
  const hasBoth = async () => {
    const history = await run.fetchHistory();
    const fired = history.events?.some((one) => one.timerFiredEventAttributes);
    return fired && timeoutsIn(history) === 1;
  };
  await work(
    eventually('the post is scheduled', async () => {
      const { events } = await run.fetchHistory();
      return events?.some((one) => one.activityTaskScheduledEventAttributes);
    }),
  );
  // without a worker, both wait for one task
  await eventually('the post has failed, and the timer has fired', hasBoth);
  await work(run.result());
  const history = await run.fetchHistory();
  await expectReplay(history, before, await bundle('after'));
});

/** A run under the code of 0.3.0. Its worker has no activities: it polls for workflow tasks alone. */
async function start(workflow: string) {
  const taskQueue = `posts-${randomUUID()}`;
  const { nativeConnection: connection, namespace } = engine;
  const before = await bundle('before');
  const run = await engine.client.workflow.start(workflow, { workflowId: taskQueue, taskQueue });
  const work = async (until: Promise<unknown>) => {
    const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle: before });
    await worker.runUntil(until);
  };
  return { run, before, work };
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

const timeoutsIn = ({ events }: History) =>
  events?.filter((one) => one.activityTaskTimedOutEventAttributes).length;

async function expectReplay(history: History, ...bundles: WorkflowBundle[]): Promise<void> {
  for (const workflowBundle of bundles) {
    const histories = [{ workflowId: 'posts', history }];
    for await (const { error } of Worker.runReplayHistories({ workflowBundle }, histories))
      expect(error).toBeUndefined();
  }
}

function bundle(code: string): Promise<WorkflowBundle> {
  const workflowsPath = fileURLToPath(new URL(`unserved-queue/${code}.ts`, import.meta.url));
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
}
