import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { afterAll, beforeAll, it } from 'vitest';
import { carWriteWorkflow } from '../../src/contract/car-write.js';
import { reservationWorkflow, taskQueue } from '../../src/contract/names.js';
import { nonDeterminism, readWorkerFigures } from '../../src/temporal/worker/worker-figures.js';
import { publicTestKey, testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { Deployment, type Ready, readJson } from '../support/process.js';
import { TestReservation } from '../support/reservations.js';

const { CommandType } = proto.temporal.api.enums.v1;

let engine: TestDevServer;
let deployment: Deployment;
beforeAll(async () => {
  engine = await devServer(testDataConverter);
  deployment = await Deployment.createWithDatabases();
}, 120_000);
afterAll(async () => {
  await deployment?.remove();
  await engine?.stop();
});

/** Completes the next workflow task with a timer, which no release of Handover starts there. */
async function answerAsNoRelease(): Promise<void> {
  const { client, namespace } = engine;
  const { workflowService } = client;
  const poll = { namespace, taskQueue: { name: taskQueue }, identity: 'a test' };
  const { taskToken } = await client.withDeadline(Date.now() + 70_000, () =>
    workflowService.pollWorkflowTaskQueue(poll),
  );
  const command = {
    commandType: CommandType.COMMAND_TYPE_START_TIMER,
    startTimerCommandAttributes: { timerId: 'of no release', startToFireTimeout: msToTs('1 day') },
  };
  await workflowService.respondWorkflowTaskCompleted({ namespace, taskToken, commands: [command] });
}

it('a history that does not replay and a task that fails are counted by the SDK as the watch reads them, and raise its alerts', async () => {
  const { client, namespace, address } = engine;
  const rental = new TestReservation(client, async () => Date.now(), taskQueue, 1);
  await rental.deliver(rental.event({ status: 5 }));
  await answerAsNoRelease();
  const up = deployment.run(['up', '--no-demo'], {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    CODEC_KEYS: `${publicTestKey.id}:${publicTestKey.key.toString('base64')}`,
  });
  const at = await up.ready();
  await rental.deliver(rental.event({ status: 10 }));
  // without the argument that it reads
  await client.workflow.start(carWriteWorkflow, {
    workflowId: 'write-without-argument',
    taskQueue,
    args: [],
  });

  const expected = [`${reservationWorkflow} ${nonDeterminism}`, `${carWriteWorkflow} WorkflowError`];
  const areCounted = async () => {
    const failed = await failedTasks(at);
    return expected.every((one) => failed.includes(one));
  };
  await eventually('the SDK counts both', areCounted, 60_000, 250);
  // this engine reports no problems itself (before 1.30), so the alerts have no other source than these figures
  await eventually(
    'both alerts are open',
    async () => {
      const open = await openAlerts(at);
      return (
        open.get('non-determinism')?.includes(`type ${reservationWorkflow}`) &&
        open.get('workflow-stuck')?.includes(`type ${carWriteWorkflow}`)
      );
    },
    240_000,
    1_000,
  );
}, 480_000);

/** By type and reason. */
async function failedTasks({ api }: Ready): Promise<string[]> {
  const figures = readWorkerFigures(await (await fetch(`${api}/metrics`)).text());
  const failed = figures.failedTasks.filter(({ count }) => count > 0);
  return failed.map(({ workflowType, reason }) => `${workflowType} ${reason}`);
}

async function openAlerts({ api, tokens }: Ready): Promise<Map<string, string>> {
  const { items } = await readJson<{ items: { kind: string; message: string }[] }>(
    `${api}/api/alerts`,
    tokens.viewer,
  );
  return new Map(items.map(({ kind, message }) => [kind, message]));
}
