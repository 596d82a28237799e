import { type Client, Connection, ServiceError, Client as TemporalClient } from '@temporalio/client';
import { defaultPayloadConverter, WorkflowNotFoundError } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservationWorkflow, reservationWorkflowId, taskQueue } from '../../src/contract/names.js';
import { type EventBatch, eventsSignal, startOptions } from '../../src/contract/reservation.js';
import type { ReservationEvent } from '../../src/domain/reservation/index.js';
import { noteEnded } from '../../src/temporal/client/reservations/note-ended.js';
import { EventsRefusedError } from '../../src/temporal/client/reservations/send.js';
import { createSendBatch } from '../../src/temporal/client/reservations/send-batch.js';
import { EngineUnavailableError } from '../../src/temporal/connection/unavailable.js';
import { devServer, type TestDevServer, workflowBundle } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { policy } from '../support/reservations.js';
import { createWorker } from '../support/whole-worker.js';

const event = (inboxId: number, status: number): ReservationEvent => ({
  eventId: `msg_${inboxId}`,
  inboxId,
  channel: 'status',
  receivedAt: 1,
  contentHash: 'hash',
  status,
});

let server: TestDevServer;
let client: Client;
beforeAll(async () => {
  server = await devServer();
  client = server.client;
});
afterAll(() => server?.stop());

/** A client whose every call fails alike. */
function answering(error: Error): Client {
  const fail = () => Promise.reject(error);
  const workflow = { signalWithStart: fail, getHandle: () => ({ signal: fail, describe: fail }) };
  return { workflow, withDeadline: (_: number, call: () => unknown) => call() } as unknown as Client;
}

async function history(reservationId: number) {
  const { events } = await client.workflow.getHandle(reservationWorkflowId(reservationId)).fetchHistory();
  const all = events ?? [];
  return {
    started: all.flatMap((one) => one.workflowExecutionStartedEventAttributes ?? []),
    signals: all.flatMap((one) => {
      const signal = one.workflowExecutionSignaledEventAttributes;
      const payload = signal?.input?.payloads?.[0];
      if (!signal || !payload) return [];
      return [{ name: signal.signalName, batch: defaultPayloadConverter.fromPayload<EventBatch>(payload) }];
    }),
  };
}

describe('a batch of events', () => {
  it('starts the workflow of its reservation with the policy, and signals it once for all', async () => {
    const send = createSendBatch(client, { policy, direct: true });
    const batch = [event(1, 5), event(2, 10)];
    expect(await send(8421, batch, false)).toBe('sent');
    const { started, signals } = await history(8421);
    expect(started[0]?.workflowType?.name).toBe(reservationWorkflow);
    const argument = started[0]?.input?.payloads?.[0];
    expect(argument && defaultPayloadConverter.fromPayload(argument)).toEqual({
      reservationId: 8421,
      policy,
      direct: true,
    });
    expect(signals).toEqual([{ name: eventsSignal, batch: { events: batch, policy } }]);
  });

  it('signals the workflow that runs already', async () => {
    const send = createSendBatch(client, { policy });
    await send(8422, [event(1, 5)], false);
    await send(8422, [event(2, 10)], false);
    const { started, signals } = await history(8422);
    expect(started).toHaveLength(1);
    expect(signals.map(({ batch }) => batch.events[0]?.status)).toEqual([5, 10]);
  });

  it('L08: does not bring a closed reservation back to life', async () => {
    const worker = await createWorker({
      connection: server.nativeConnection,
      namespace: server.namespace,
      taskQueue,
      bundle: workflowBundle(),
      activities: new FakePlatform().activities(),
    });
    const send = createSendBatch(client, { policy: { ...policy, settleMs: 1 } });
    await worker.runUntil(async () => {
      await send(8423, [event(1, 40)], false);
      await client.workflow.getHandle(reservationWorkflowId(8423)).result();
    });
    expect(await send(8423, [event(2, 10)], false)).toBe('closed');
    expect((await history(8423)).signals).toHaveLength(1);
  });

  it('for a reservation whose workflow was terminated is refused with the code WORKFLOW_TERMINATED and is not lost', async () => {
    const send = createSendBatch(client, { policy });
    await send(8427, [event(1, 5)], false);
    await client.workflow.getHandle(reservationWorkflowId(8427)).terminate('by hand');
    await expect(send(8427, [event(2, 10)], false)).rejects.toMatchObject({ code: 'WORKFLOW_TERMINATED' });
  });

  it('L08: for a reservation that was ended is refused also after Temporal deleted its workflow; one that runs again receives it', async () => {
    const rows = new Map<number, string>();
    const endedReservations = {
      note: async (id: number, code: string) => void rows.set(id, code),
      has: async (id: number) => rows.has(id),
      forget: async (id: number) => void rows.delete(id),
    };
    const send = createSendBatch(client, { policy, endedReservations });
    await send(8431, [event(1, 5)], false);
    await client.workflow.getHandle(reservationWorkflowId(8431)).terminate('by hand');
    await expect(send(8431, [event(2, 10)], false)).rejects.toMatchObject({ code: 'WORKFLOW_TERMINATED' });
    expect(rows).toEqual(new Map([[8431, 'WORKFLOW_TERMINATED']]));

    // 8432 is known to the database alone
    rows.set(8432, 'WORKFLOW_FAILED');
    const forgotten = send(8432, [event(1, 5)], false, undefined, 'WORKFLOW_FAILED');
    await expect(forgotten).rejects.toMatchObject({ code: 'WORKFLOW_FAILED', whicheverEvent: true });
    await expect(client.workflow.getHandle(reservationWorkflowId(8432)).describe()).rejects.toThrow();

    // one that no callback came for is noted while Temporal knows it; one that was started again is not
    await send(8433, [event(1, 5)], false);
    await client.workflow.getHandle(reservationWorkflowId(8433)).terminate('by hand');
    rows.clear();
    await client.workflow.start(reservationWorkflow, {
      ...startOptions({ reservationId: 8431, policy }, taskQueue),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    });
    await expect
      .poll(async () => {
        await noteEnded(client, endedReservations);
        return [...rows.keys()];
      })
      .toContain(8433);
    expect(rows.has(8431)).toBe(false);
    rows.set(8431, 'WORKFLOW_TERMINATED');
    expect(await send(8431, [event(3, 15)], false, undefined, 'WORKFLOW_TERMINATED')).toBe('sent');
    expect(rows.has(8431)).toBe(false);
  });

  it('that the engine refuses for its content is distinguished from an engine that is unavailable', async () => {
    const tooLarge = { ...event(1, 5), pickupMemo: 'x'.repeat(3_000_000) };
    const refused = createSendBatch(client, { policy })(8424, [tooLarge], false);
    await expect(refused).rejects.toBeInstanceOf(EventsRefusedError);

    const connection = Connection.lazy({ address: '127.0.0.1:1' });
    const away = createSendBatch(new TemporalClient({ connection }), { policy, deadlineMs: 500 });
    const failure = await away(8425, [event(1, 5)], false).then(
      () => null,
      (error: unknown) => error,
    );
    await connection.close();
    expect(failure).toBeInstanceOf(EngineUnavailableError);
    expect(failure).toMatchObject({ code: expect.stringMatching(/^(UNAVAILABLE|DEADLINE_EXCEEDED)$/) });
  });

  it('L08: is late only where a case file stands beside the missing workflow; otherwise it waits', async () => {
    const missing = new WorkflowNotFoundError('404 from a proxy', reservationWorkflowId(8428), undefined);
    const send = createSendBatch(answering(missing), { policy });
    await expect(send(8428, [event(1, 5)], false)).rejects.toMatchObject({
      name: 'EngineUnavailableError',
      code: 'NOT_FOUND',
    });
    expect(await send(8428, [event(1, 5)], true)).toBe('closed');
  });

  it('waits for a namespace that is missing, and for a call that fails without a status', async () => {
    const elsewhere = new TemporalClient({ connection: client.connection, namespace: 'not-made-yet' });
    const absent = createSendBatch(elsewhere, { policy })(8429, [event(1, 5)], false);
    await expect(absent).rejects.toMatchObject({
      name: 'EngineUnavailableError',
      code: 'NAMESPACE_NOT_FOUND',
    });
    const broken = answering(new ServiceError('Unexpected error', { cause: new TypeError('cut off') }));
    await expect(createSendBatch(broken, { policy })(8430, [event(1, 5)], false)).rejects.toMatchObject({
      name: 'EngineUnavailableError',
      code: 'UNKNOWN',
    });
  });

  it('that cannot be written as a payload is refused, not retried for ever', async () => {
    const cyclic = event(1, 5) as ReservationEvent & { self?: unknown };
    cyclic.self = cyclic;
    await expect(createSendBatch(client, { policy })(8426, [cyclic], false)).rejects.toMatchObject({
      code: 'NOT_ENCODED',
    });
  });
});
