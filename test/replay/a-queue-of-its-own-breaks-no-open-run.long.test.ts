// Activities moved to queues of their own in 0.4.0: a run of 0.3.0 whose activity no worker started has to replay.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { devServer, type TestDevServer } from '../support/engine.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

it('a run whose activity timed out before any worker started it replays where the activity has a queue of its own', async () => {
  const taskQueue = `posts-${randomUUID()}`;
  const { nativeConnection: connection, namespace } = engine;
  const before = await bundle('before');
  // without activities, it polls for workflow tasks alone
  const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle: before });
  const run = await engine.client.workflow.start('posting', { workflowId: taskQueue, taskQueue });
  await worker.runUntil(run.result());
  const history = await run.fetchHistory();
  const timeouts = history.events?.flatMap((one) => one.activityTaskTimedOutEventAttributes ?? []);
  expect(timeouts).toHaveLength(1);

  for (const workflowBundle of [before, await bundle('after')]) {
    const histories = [{ workflowId: taskQueue, history }];
    for await (const { error } of Worker.runReplayHistories({ workflowBundle }, histories))
      expect(error).toBeUndefined();
  }
});

function bundle(code: string): Promise<WorkflowBundle> {
  const workflowsPath = fileURLToPath(new URL(`unserved-queue/${code}.ts`, import.meta.url));
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
}
