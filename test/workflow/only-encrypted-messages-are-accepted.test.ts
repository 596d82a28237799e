import { randomUUID } from 'node:crypto';
import { Client, WorkflowUpdateFailedError } from '@temporalio/client';
import type { DataConverter, Payload } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservationWorkflow, reservationWorkflowId } from '../../src/contract/names.js';
import { eventsSignal, viewQuery } from '../../src/contract/reservation.js';
import type { Policy } from '../../src/domain/reservation/index.js';
import { createCodec, failureConverterPath } from '../../src/temporal/codec.js';
import { publicTestKey, replayDataConverter, testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { bodies, car, company, policy, reservationWorker } from '../support/reservations.js';

let env: TestDevServer;
beforeAll(async () => {
  env = await devServer(testDataConverter);
});
afterAll(() => env?.stop());

const codec = createCodec([publicTestKey]);
type Encode = (payloads: Payload[]) => Promise<Payload[]>;

/** A client that reaches Temporal and sends what `encode` makes of its arguments; it reads answers, to show them. */
const clientWith = (encode: Encode) => {
  const dataConverter: DataConverter = {
    payloadCodecs: [{ encode, decode: (payloads) => codec.decode(payloads) }],
    failureConverterPath,
  };
  return new Client({ connection: env.connection, namespace: env.namespace, dataConverter });
};

const inTheClear: Encode = async (payloads) => payloads;

/** What was encrypted for another reservation, as a copy of its payloads would be. */
function copiesOf(otherWorkflowId: string): Encode {
  const context = { type: 'workflow', namespace: env.namespace, workflowId: otherWorkflowId } as const;
  return (payloads) => codec.encode(payloads, context);
}

const always =
  (payload: Payload): Encode =>
  async (payloads) =>
    payloads.map(() => payload);

async function story(own: Partial<Policy> = {}) {
  const platform = new FakePlatform();
  const { whileRunning, reservation } = await reservationWorker(
    { ...env, dataConverter: testDataConverter },
    platform,
  );
  const rental = reservation({ policy: { ...policy, ...own } });
  const other = reservation();
  const forged = { events: [rental.event({ status: 30, receivedAt: Date.now() })], policy };
  return { platform, whileRunning, rental, other, forged };
}

describe('L60: a message that is not encrypted for the reservation', () => {
  it('is dropped where it is a signal, and the reservation continues', async () => {
    const { whileRunning, rental, other, forged } = await story();
    await whileRunning(async () => {
      await rental.deliver(rental.event({ status: 10, car, company }));
      expect(await rental.view()).toMatchObject({ status: { code: 10 } });
      const damaged = {
        metadata: {
          encoding: Buffer.from('binary/encrypted'),
          'encryption-key-id': Buffer.from(publicTestKey.id),
        },
        data: Buffer.alloc(50),
      };
      const senders = [
        inTheClear,
        copiesOf(other.handle.workflowId),
        always({}),
        always({ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{no json') }),
        always(damaged),
      ];
      for (const sender of senders) {
        await clientWith(sender).workflow.getHandle(rental.handle.workflowId).signal(eventsSignal, forged);
      }
      await rental.deliver(rental.event({ status: 15, car, company }));
      expect(await rental.view()).toMatchObject({ status: { code: 15 } });

      const history = await rental.handle.fetchHistory();
      const failed = history.events?.filter(({ workflowTaskFailedEventAttributes: task }) => task != null);
      expect(failed).toEqual([]);
      const replay = { workflowBundle: workflowBundle(), dataConverter: replayDataConverter };
      await Worker.runReplayHistory(replay, history, rental.handle.workflowId);
    });
  });

  it('counts towards the signals of its run, so that a flood of them blocks no reservation', async () => {
    const { whileRunning, rental, forged } = await story({ signalsPerRun: 5 });
    await whileRunning(async () => {
      await rental.deliver(rental.event({ status: 10, car, company }));
      await rental.view();
      const { runId } = await rental.handle.describe();
      const { workflow } = clientWith(inTheClear);
      for (let sent = 0; sent < 5; sent++) {
        await workflow.getHandle(rental.handle.workflowId).signal(eventsSignal, forged);
      }
      const runNow = async () => (await rental.handle.describe()).runId;
      await expect.poll(runNow, { timeout: 10_000 }).not.toBe(runId);
      expect(await rental.view()).toMatchObject({ status: { code: 10 } });
    });
  });

  it('is rejected where it is an update, and leaves no event', async () => {
    const { platform, whileRunning, rental, other } = await story();
    await whileRunning(async () => {
      await rental.deliver(rental.event({ status: 5, car, company }));
      await rental.view();
      const command = {
        commandId: randomUUID(),
        action: 'dispatch.staff',
        body: bodies['dispatch.staff'],
        by: 'staff-1',
      };
      for (const sender of [inTheClear, copiesOf(other.handle.workflowId), always({})]) {
        const handle = clientWith(sender).workflow.getHandle(rental.handle.workflowId);
        const error: unknown = await handle
          .executeUpdate('dispatch.staff', { args: [command] })
          .catch((e) => e);
        expect(error).toBeInstanceOf(WorkflowUpdateFailedError);
        expect((error as WorkflowUpdateFailedError).cause).toMatchObject({ type: 'NOT_ENCRYPTED' });
      }
      const { events } = await rental.handle.fetchHistory();
      expect(events?.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes != null)).toBe(
        false,
      );
      expect(platform.attempts).toEqual([]);
      expect((await rental.sendAction('dispatch.staff')).command.outcome).toBe('applied');
    });
  });

  it('fails where it starts a workflow, which sends nothing', async () => {
    const { platform, whileRunning, rental, other } = await story();
    await whileRunning(async () => {
      for (const [sender, { id }] of [
        [inTheClear, rental],
        [copiesOf('reservation-0'), other],
      ] as const) {
        const workflowId = reservationWorkflowId(id);
        const { taskQueue } = rental;
        const start = { reservationId: id, policy };
        const handle = await clientWith(sender).workflow.start(reservationWorkflow, {
          workflowId,
          taskQueue,
          args: [start],
        });
        const error: unknown = await handle.result().catch((e) => e);
        expect(error).toMatchObject({ cause: { type: 'NOT_ENCRYPTED' } });
      }
      expect(platform.attempts).toEqual([]);
    });
  });

  it('a query without arguments is answered as before: it changes nothing', async () => {
    const { whileRunning, rental } = await story();
    await whileRunning(async () => {
      await rental.deliver(rental.event({ status: 5, car, company }));
      const answer = await clientWith(inTheClear)
        .workflow.getHandle(reservationWorkflowId(rental.id))
        .query(viewQuery);
      expect(answer).toMatchObject({ status: { code: 5 } });
    });
  });
});
