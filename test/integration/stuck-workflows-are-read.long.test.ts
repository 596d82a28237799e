import proto from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listStuckWorkflows } from '../../src/temporal/client/stuck-workflows.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { serverBinary, versionedServer, withoutServer } from '../support/versioned-server.js';

const { WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;

describe('the embedded engine, which is older than 1.30', () => {
  let engine: TestDevServer;
  beforeAll(async () => {
    engine = await devServer();
  });
  afterAll(() => engine?.stop());

  it('is known to report no stuck workflows: the watch then goes by what the worker has seen', async () => {
    expect(await listStuckWorkflows(engine.client)).toBeNull();
  });
});

describe.skipIf(serverBinary === undefined)(`a Temporal server of 1.30 or newer${withoutServer}`, () => {
  let engine: TestDevServer;
  beforeAll(async () => {
    engine = await versionedServer(serverBinary ?? '');
  }, 120_000);
  afterAll(() => engine?.stop());

  const failTask = async (taskQueue: string, cause: keyof typeof WorkflowTaskFailedCause) => {
    const { client, namespace } = engine;
    const { workflowService } = client;
    const task = await eventually(
      'a task',
      async () => {
        const poll = () =>
          workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } });
        const polled = await client.withDeadline(Date.now() + 70_000, poll);
        return polled.taskToken.length > 0 ? polled : undefined;
      },
      90_000,
    );
    await workflowService.respondWorkflowTaskFailed({
      namespace,
      taskToken: task.taskToken,
      cause: WorkflowTaskFailedCause[cause],
    });
  };

  it.each([
    ['WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR', true],
    ['WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE', false],
  ] as const)(
    'reports a workflow whose task failed twice by %s',
    async (cause, isNonDeterministic) => {
      const workflowId = `stuck-${cause}`;
      await engine.client.workflow.start('reservation', { workflowId, taskQueue: workflowId, args: [] });
      await failTask(workflowId, cause);
      await failTask(workflowId, cause);
      const found = await eventually(
        'it is reported',
        async () => {
          const stuck = await listStuckWorkflows(engine.client);
          return stuck?.find((one) => one.workflowId === workflowId);
        },
        12_000,
        500,
      );
      expect(found).toEqual({ workflowId, workflowType: 'reservation', isNonDeterministic });
    },
    180_000,
  );
});
