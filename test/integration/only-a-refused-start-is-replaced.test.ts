import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import proto from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservationWorkflow, reservationWorkflowId } from '../../src/contract/names.js';
import type { ReservationEvent } from '../../src/domain/reservation/index.js';
import { outcomeWithin, startOnce } from '../../src/temporal/client/once.js';
import { noteEnded } from '../../src/temporal/client/reservations/note-ended.js';
import { createSendBatch } from '../../src/temporal/client/reservations/send-batch.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { policy } from '../support/reservations.js';

let server: TestDevServer;
let client: Client;
beforeAll(async () => {
  server = await devServer();
  client = server.client;
});
afterAll(() => server?.stop());

/** Where a test ends the runs itself, in place of a worker. */
const ownQueue = 'own';
const { CommandType } = proto.temporal.api.enums.v1;
type Command = proto.temporal.api.command.v1.ICommand;
type Failure = proto.temporal.api.failure.v1.IFailure;

const fails = (failure: Failure): Command => ({
  commandType: CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
  failWorkflowExecutionCommandAttributes: { failure },
});
const refusal = { message: 'refused', applicationFailureInfo: { type: 'NOT_ENCRYPTED', nonRetryable: true } };
const refuses = fails(refusal);
const completes: Command = {
  commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  completeWorkflowExecutionCommandAttributes: {},
};
const continues: Command = {
  commandType: CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
  continueAsNewWorkflowExecutionCommandAttributes: {
    workflowType: { name: reservationWorkflow },
    taskQueue: { name: ownQueue },
  },
};

const start = (id: number) =>
  client.workflow.start(reservationWorkflow, {
    workflowId: reservationWorkflowId(id),
    taskQueue: ownQueue,
    args: [{}],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
/** Answers the next workflow task of the queue. */
async function answer(command: Command): Promise<void> {
  const { namespace } = server;
  const poll = { namespace, taskQueue: { name: ownQueue }, identity: 'a test' };
  const { taskToken } = await client.withDeadline(Date.now() + 20_000, () =>
    client.workflowService.pollWorkflowTaskQueue(poll),
  );
  await client.workflowService.respondWorkflowTaskCompleted({ namespace, taskToken, commands: [command] });
}
async function run(id: number, ...commands: Command[]): Promise<void> {
  await start(id);
  for (const command of commands) await answer(command);
}
async function terminated(id: number): Promise<void> {
  const handle = await start(id);
  await handle.terminate('by hand');
}

const event: ReservationEvent = {
  eventId: 'msg_1',
  inboxId: 1,
  channel: 'status',
  receivedAt: 1,
  contentHash: 'hash',
  status: 10,
};
const noted = new Map<number, string>();
const endedReservations = {
  note: async (id: number, code: string) => void noted.set(id, code),
  has: async (id: number) => noted.has(id),
  forget: async (id: number) => void noted.delete(id),
};
const send = (id: number) => createSendBatch(client, { policy, endedReservations })(id, [event], false);
const statusOf = async (id: number) =>
  (await client.workflow.getHandle(reservationWorkflowId(id)).describe()).status.name;

it('a reservation that has only refused starts begins with its first event', async () => {
  await run(1, refuses);
  await run(1, refuses);
  expect(await statusOf(1)).toBe('FAILED');
  expect(await send(1)).toBe('sent');
  expect(await statusOf(1)).toBe('RUNNING');
  const { events } = await client.workflow.getHandle(reservationWorkflowId(1)).fetchHistory();
  expect(events?.filter((one) => one.workflowExecutionSignaledEventAttributes != null)).toHaveLength(1);
  expect(noted.has(1)).toBe(false);
});

describe('L08: no other run is followed by another:', () => {
  const ofAnActivity: Failure = {
    message: 'an activity failed',
    activityFailureInfo: { activityType: { name: 'record' }, activityId: '1' },
    cause: refusal,
  };
  it.each([
    ['that failed otherwise', 11, () => run(11, fails({ ...refusal, applicationFailureInfo: {} }))],
    ['that failed by an activity', 12, () => run(12, fails(ofAnActivity))],
    ['that is the next run of one that ran', 13, () => run(13, continues, refuses)],
    ['that was reset', 14, () => resetAndRefused(14)],
  ])('a run %s', async (_, id, end) => {
    await end();
    await expect(send(id)).rejects.toMatchObject({ code: 'WORKFLOW_FAILED', whicheverEvent: true });
    expect(await statusOf(id)).toBe('FAILED');
    expect(noted.get(id)).toBe('WORKFLOW_FAILED');
  });

  it('a refused start behind it hides no run that was terminated', async () => {
    await terminated(21);
    await run(21, refuses);
    await expect(send(21)).rejects.toMatchObject({ code: 'WORKFLOW_TERMINATED' });
    expect(noted.get(21)).toBe('WORKFLOW_TERMINATED');
  });

  it('a refused start behind it hides no run that closed', async () => {
    await run(22, completes);
    await run(22, refuses);
    expect(await send(22)).toBe('closed');
    expect(noted.has(22)).toBe(false);
  });

  /** What a person does in Temporal UI with a run that did its work. */
  async function resetAndRefused(id: number): Promise<void> {
    await run(id, completes);
    await client.workflowService.resetWorkflowExecution({
      namespace: server.namespace,
      requestId: randomUUID(),
      reason: 'a test',
      workflowExecution: { workflowId: reservationWorkflowId(id) },
      workflowTaskFinishEventId: 4 as never,
    });
    await answer(refuses);
  }
});

it('L21: a repeated request finds its own run, and its outcome, behind a refused start', async () => {
  const workflowId = 'write-repeated';
  const requested = (content: string) => {
    const summary = 'Car memo';
    const about = {
      commandId: 'repeated',
      type: 'carWrite',
      workflowId,
      queue: ownQueue,
      input: {},
      summary,
    };
    return startOnce(client, { ...about, request: { content } });
  };
  const applied = { outcome: 'applied', memoId: 7 };
  const result = { payloads: [defaultPayloadConverter.toPayload(applied)] };
  expect(await requested('a dent')).toBeDefined();
  await answer({ ...completes, completeWorkflowExecutionCommandAttributes: { result } });
  await client.workflow.start('carWrite', { workflowId, taskQueue: ownQueue });
  await answer(refuses);
  const run = await requested('a dent');
  expect(run).toBeDefined();
  const waiting = { update: 'awaitCarWrite', withinMs: 20_000 };
  expect(await outcomeWithin(client, { ...run, workflowId }, waiting)).toEqual(applied);
  expect(await requested('a scratch')).toBeUndefined();
});

it('the table of ended reservations does not contain those that never ran', async () => {
  await run(31, refuses);
  await terminated(32);
  await run(32, refuses);
  noted.clear();
  await eventually('the terminated one is noted', async () => {
    await noteEnded(client, endedReservations);
    return noted.get(32) === 'WORKFLOW_TERMINATED';
  });
  expect(noted.has(31)).toBe(false);
});
