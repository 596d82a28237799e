import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BookingStart } from '../../src/contract/booking.js';
import { carWriteWorkflowId } from '../../src/contract/car-write.js';
import { holdWorkflowId } from '../../src/contract/hold.js';
import { bookingWorkflowId } from '../../src/contract/names.js';
import { viewQuery } from '../../src/contract/reservation.js';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import type { CodecKey } from '../../src/store/sealing/codec-key.js';
import { temporalBookings } from '../../src/temporal/client/bookings/bookings.js';
import { temporalCarWrites } from '../../src/temporal/client/cars/writes.js';
import { temporalHolds } from '../../src/temporal/client/holds/holds.js';
import { createCodec, encryptingDataConverter } from '../../src/temporal/codec.js';
import { startApi } from '../support/api.js';
import { publicTestKey, testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, policy, TestReservation } from '../support/reservations.js';
import { encryptedPayloads, scan } from '../support/scan.js';
import { createTestWorker } from '../support/test-worker.js';

/** Every personal value of the scenario, each different from all others (L60). */
const personal = {
  driverName: 'Driver Hong',
  driverBirth: '19850417',
  driverPhone: '01055512001',
  license: '11-85-004170-01',
  driverAddress: 'Driver Street 12',
  companionName: 'Companion Lee',
  companionBirth: '19910823',
  companionPhone: '01055512002',
  pickupAddress: 'Pickup Avenue 7',
  pickupMemo: 'wears a red hat',
  staffName: 'Staff Kim',
  staffPhone: '01055512003',
  parkingMemo: 'B2 pillar 14',
  imageUrl: 'https://photos.example/parking/8421.jpg',
  overrideReason: 'the customer reported it by phone',
  recallNote: 'Driver Hong left a scratch',
  holdReason: 'Staff Kim hit the gate',
  carMemo: 'Driver Hong smokes',
  saleReason: 'as Driver Hong asked',
  refusal: 'Driver Hong is unknown to us',
  failureText: 'broken answer for Staff Kim',
} as const;
const driver = {
  name: personal.driverName,
  birth: personal.driverBirth,
  phone: personal.driverPhone,
  licenseNumber: personal.license,
  address: personal.driverAddress,
};
const companion = {
  name: personal.companionName,
  birth: personal.companionBirth,
  phone: personal.companionPhone,
};

/** One reservation with its booking, a hold, writes on a car, and everything that Temporal then has of them, as the server gives it. */
async function scenario(engine: TestDevServer) {
  const taskQueue = `personal-${randomUUID()}`;
  const platform = new FakePlatform();
  const worker = await createTestWorker({
    connection: engine.nativeConnection,
    namespace: engine.namespace,
    taskQueue,
    activities: {
      ...platform.activities(),
      book: async () => Promise.reject(new Error(personal.failureText)),
    },
    ...(engine.dataConverter !== undefined && { dataConverter: engine.dataConverter }),
  });
  return worker.runUntil(async () => {
    const commandId = randomUUID();
    const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, 8421, {
      policy: { ...policy, settleMs: 100, signalsPerRun: 4 },
    });
    await play(engine, rental, platform, taskQueue, commandId);
    const ids = [rental.handle.workflowId, bookingWorkflowId(commandId)];
    ids.push(...(await playFleet(engine, platform, taskQueue)));
    return { platform, kept: await everythingOf(engine, ids) };
  });
}

async function play(
  engine: TestDevServer,
  rental: TestReservation,
  platform: FakePlatform,
  taskQueue: string,
  commandId: string,
): Promise<void> {
  const request: BookingStart['request'] = {
    productId: 1,
    startAt: Date.now() + hour,
    endAt: Date.now() + 2 * hour,
    pickupAddress: personal.pickupAddress,
    pickupMemo: personal.pickupMemo,
    driver,
    companionInfo: companion,
  };
  const booked = await temporalBookings(engine.client, {
    reads: platform.bookingStore.reads(),
    matchMs: 0,
    queue: taskQueue,
  }).book({ commandId, by: 'kim', request });
  expect(booked).toMatchObject({ outcome: 'unknown' });

  const period = { start: Date.now() + hour, end: Date.now() + 2 * hour };
  const people = {
    driver,
    companion,
    pickupAddress: personal.pickupAddress,
    pickupMemo: personal.pickupMemo,
  };
  const parking = { memo: personal.parkingMemo, imageUrl: personal.imageUrl };
  await rental.deliver(rental.event({ channel: 'registration', status: 5, period, car, company, ...people }));
  const body = { staffName: personal.staffName, staffPhone: personal.staffPhone };
  await rental.sendAction('dispatch.staff', { body });
  const override = { reason: personal.overrideReason };
  platform.answers.push({ kind: 'refused', code: 'REFUSED', message: personal.refusal, forState: false });
  await rental.sendAction('dispatch.carImage', { override });
  platform.answers.push(async () => Promise.reject(new Error(personal.failureText)));
  await rental.sendAction('dispatch.parkingImage', { override });
  // refused by the workflow itself
  await expect(rental.sendAction('recall.complete')).rejects.toThrow();
  await rental.sendAction('dispatch.complete', {
    body: { parkingMemo: personal.parkingMemo, parkingLotType: 1 },
    override,
  });
  await rental.deliver(rental.event({ status: 15, parking, ...people }));
  await rental.deliver(rental.event({ status: 20, ...people }));
  await rental.deliver(rental.event({ status: 25, ...people }));
  await rental.deliver(rental.event({ status: 30, ...people }));
  await eventually('a second run', async () => (await runsOf(engine, rental.handle.workflowId)).length > 1);
  await rental.sendAction('recall.staff', { body });
  await rental.sendAction('recall.complete', { body: { note: personal.recallNote }, override });
}

/** A hold that is released, a memo, and a sale status; their workflows' ids. */
async function playFleet(engine: TestDevServer, platform: FakePlatform, queue: string): Promise<string[]> {
  platform.cars.sale.set('301/1001', 'Y');
  const start = Math.ceil(Date.now() / 1000) * 1000 + hour;
  const nothing = async () => undefined;
  const list = async () => ({ items: [], nextCursor: null, asOf: 0 });
  const store = { read: nothing, findOverlapping: nothing, list };
  const fleet = { store, close: async () => true, zoneOffsetMinutes: 540, historyEventsPerRun: 1_000, queue };
  const holds = temporalHolds(engine.client, fleet);
  const { holdReason: reason, carMemo: content, saleReason } = personal;
  const asked = { carId: 1001, reason, period: { start, end: start + hour }, by: 'kim', mark: 'm' };
  const more = { holdId: 'h-1', withdrawFromSale: false, reservationId: null };
  expect(await holds.make({ ...asked, ...more })).toMatchObject({ hold: { state: 'planned' } });
  const end = { commandId: 'r-1', by: 'kim', reason };
  expect(await holds.sendCommand('h-1', { name: 'release', input: end })).toMatchObject({ kind: 'answered' });
  const rows = {
    reserve: async () => ({ createdAt: Date.now(), result: null, isSame: true }),
    find: async () => undefined,
  };
  const writes = temporalCarWrites(engine.client, { rows, queue });
  const memo = { kind: 'memo', carId: 1001, content } as const;
  const place = { kind: 'sale-status', productId: 301, carId: 1001 } as const;
  const sale = { ...place, saleYn: 'N', reason: saleReason } as const;
  for (const write of [memo, sale]) {
    const start = { commandId: write.kind, by: 'kim', write };
    expect(await writes.write(start)).toMatchObject({ outcome: 'applied' });
  }
  return [holdWorkflowId('h-1'), carWriteWorkflowId(memo.kind), carWriteWorkflowId(sale.kind)];
}

async function runsOf(engine: TestDevServer, workflowId: string): Promise<string[]> {
  const runs: string[] = [];
  const { workflow } = engine.client;
  let runId = (await workflow.getHandle(workflowId).describe()).raw.workflowExecutionInfo?.firstRunId;
  while (runId) {
    runs.push(runId);
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return runs;
}

/** Histories of all runs, descriptions, details as Temporal UI asks for them, and what lists see. */
async function everythingOf(engine: TestDevServer, ids: string[]) {
  const { client, namespace, connection } = engine;
  const kept: Record<string, unknown> = { ids };
  for (const id of ids) {
    for (const [index, runId] of (await runsOf(engine, id)).entries()) {
      const history = await client.workflow.getHandle(id, runId).fetchHistory();
      kept[`${id} history ${index}`] = history;
      kept[`${id} history ${index} as JSON`] = historyToJSON(history);
    }
    const execution = { workflowId: id };
    kept[`${id} description`] = (await client.workflow.getHandle(id).describe()).raw;
    kept[`${id} details`] = await connection.workflowService.queryWorkflow({
      namespace,
      execution,
      query: { queryType: '__temporal_workflow_metadata' },
    });
  }
  kept.list = await eventually('all in the list', async () => {
    const { executions } = await connection.workflowService.listWorkflowExecutions({ namespace });
    return (
      new Set(executions?.map(({ execution }) => execution?.workflowId)).size >= ids.length && executions
    );
  });
  return kept;
}

async function withEngine<T>(
  dataConverter: DataConverter | undefined,
  use: (engine: TestDevServer) => Promise<T>,
): Promise<T> {
  const engine = await devServer(dataConverter);
  try {
    return await use(engine);
  } finally {
    await engine.stop();
  }
}

describe('L60: of a whole reservation, its booking, a hold and writes on a car', () => {
  let engine: TestDevServer;
  let seen: Awaited<ReturnType<typeof scenario>>;
  beforeAll(async () => {
    engine = await devServer(testDataConverter);
    seen = await scenario(engine);
  });
  afterAll(() => engine?.stop());

  it('Temporal stores no readable personal data: not in any event, memo, summary, detail, list or id', () => {
    expect(scan(seen.kept, Object.values(personal))).toEqual([]);
  });

  it('the search finds every value without the codec (negative control)', async () => {
    const plain = await withEngine(undefined, scenario);
    const found = new Set(scan(plain.kept, Object.values(personal)).map(({ value }) => value));
    expect([...found].sort()).toEqual(Object.values(personal).sort());
  });

  it('the platform receives every value as it was sent', () => {
    const staff = seen.platform.attempts.find(({ activity }) => activity === 'dispatchStaff');
    expect(staff?.attempt.body).toEqual({ staffName: personal.staffName, staffPhone: personal.staffPhone });
  });

  it('Temporal UI gets plain text from the codec endpoint', async () => {
    const codec = createCodec([publicTestKey]);
    const token = 'codec-token-of-the-test';
    const api = await startApi({
      codec: {
        token,
        uiOrigins: [],
        decode: (payloads) => codec.decode(payloads),
        subjectOf: () => undefined,
      },
    });
    try {
      const payloads = encryptedPayloads(seen.kept);
      expect(payloads.length).toBeGreaterThan(20);
      const { status, body } = await api.ask(`/codec/${token}/decode`, {
        method: 'POST',
        json: { payloads },
      });
      expect(status).toBe(200);
      const texts = body.payloads.map(({ data }: { data: string }) => Buffer.from(data, 'base64').toString());
      for (const value of Object.values(personal)) expect(texts.join('\n')).toContain(value);
    } finally {
      await api.close();
    }
  });
});

it('a worker that lacks the key fails no reservation: it names the key, and a worker that has it continues', async () => {
  const other = { id: 'another-key', key: randomBytes(32) };
  await withEngine(testDataConverter, async (engine) => {
    const workerWith = (keys: CodecKey[], taskQueue: string) =>
      createTestWorker({
        connection: engine.nativeConnection,
        namespace: engine.namespace,
        taskQueue,
        activities: new FakePlatform().activities(),
        dataConverter: encryptingDataConverter(keys),
      });
    const taskQueue = `rotation-${randomUUID()}`;
    const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, 8422);
    await rental.deliver(rental.event({ status: 20, car, company, driver }));

    const lacking = await workerWith([other], taskQueue);
    const failure = await lacking.runUntil(() =>
      eventually('a failed task', async () => {
        const { events } = await rental.handle.fetchHistory();
        return events?.map((event) => event.workflowTaskFailedEventAttributes?.failure).find(Boolean);
      }),
    );
    const [text] = await createCodec([other]).decode([failure?.encodedAttributes ?? {}]);
    expect(`${text?.data}`).toContain(`\\"${publicTestKey.id}\\"`);

    const rotated = await workerWith([other, publicTestKey], taskQueue);
    const both = new Client({
      connection: engine.connection,
      namespace: engine.namespace,
      dataConverter: encryptingDataConverter([publicTestKey, other]),
    });
    await rotated.runUntil(async () => {
      const handle = both.workflow.getHandle(rental.handle.workflowId);
      const view = await handle.query<ReservationView>(viewQuery);
      expect(view).toMatchObject({ status: { code: 20 }, driver });
      await handle.terminate('the test is over');
    });
  });
});
