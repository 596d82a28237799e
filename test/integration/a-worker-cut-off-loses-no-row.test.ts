import proto from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandAudit } from '../../src/contract/audit.js';
import { createAudit, writeAudit } from '../../src/store/audit.js';
import { createCarWriteRows, recordCarWrite } from '../../src/store/cars/writes.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { createTimeline } from '../../src/store/reservations/timeline.js';
import { temporalCarWrites } from '../../src/temporal/client/cars/writes.js';
import { connectWorker, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { publicTestKey } from '../support/codec.js';
import { ownDatabase } from '../support/database.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { sealer } from '../support/intake.js';
import { Line } from '../support/line.js';
import { car, company, hour, TestReservation } from '../support/reservations.js';
import { startTestWorker } from '../support/test-worker.js';

const { EventType } = proto.temporal.api.enums.v1;
const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';
const isLong = process.env.HANDOVER_TEST_LONG === '1';
const rounds = isLong ? 6 : 1;
const taskQueue = 'cut-off';

describe.skipIf(server === undefined)(`a worker cut off (Postgres${without})`, () => {
  const own = ownDatabase(server ?? '');
  let engine: TestDevServer;
  let toTemporal: Line;
  let toDatabase: Line;
  let connection: NativeConnection;
  let direct: HandoverDatabase;
  let database: HandoverDatabase;
  let stopWorker: () => Promise<void>;

  beforeAll(async () => {
    engine = await devServer();
    toTemporal = await Line.to(new URL(`http://${engine.address}`));
    const address = await own();
    direct = await openHandoverDatabase({ url: address, folder: '' });
    toDatabase = await Line.to(new URL(address));
    database = await openHandoverDatabase({ url: toDatabase.url, folder: '', promptWithinMs: 500 });
    connection = await connectWorker(embeddedTarget(new URL(toTemporal.url).host));
    stopWorker = await startTestWorker({
      connection,
      namespace: engine.namespace,
      taskQueue,
      activities: {
        ...new FakePlatform().activities(),
        record: createRecorder(database.prompt),
        closeCase: createCaseFiles(database.prompt, sealer, [publicTestKey]).close,
        audit: ({ answered, ...entry }: CommandAudit) =>
          database.prompt.transaction(async (tx) => {
            await writeAudit(tx, sealer, entry);
            if (answered !== undefined) await recordCarWrite(tx, sealer, entry.commandId, answered);
          }),
      },
    });
  }, 60_000);
  afterAll(async () => {
    await stopWorker?.();
    await connection?.close();
    toDatabase?.close();
    toTemporal?.close();
    await Promise.all([database?.close(), direct?.close()]);
    await engine?.stop();
  }, 60_000);

  it('from the database answers writes on cars, and stores their audit entries once when the connection is back', async () => {
    const rows = createCarWriteRows(direct.db, sealer);
    const writes = temporalCarWrites(engine.client, { rows, queue: taskQueue });
    const keys: string[] = [];
    for (const lose of [() => toDatabase.fallSilent(), () => toDatabase.cut()]) {
      lose();
      for (const content of ['new tyres', 'oil']) {
        const commandId = `w-${keys.length}`;
        keys.push(commandId);
        const write = { kind: 'memo', carId: 1001, content } as const;
        const answer = await writes.write({ commandId, by: 'kim', write });
        expect(answer).toMatchObject({ outcome: 'applied' });
        expect(await writes.find(commandId)).toEqual(answer);
      }
      toDatabase.comeBack();
      const entries = await eventually(
        'each write has its entry',
        async () => {
          const { items } = await createAudit(direct.db, sealer).list({ action: 'car.memo', limit: 500 });
          return keys.every((key) => items.some(({ commandId }) => commandId === key)) && items;
        },
        90_000,
      );
      expect(entries.map(({ commandId }) => commandId).toSorted()).toEqual(keys);
      for (const key of keys) expect((await rows.find(key))?.result).toMatchObject({ outcome: 'applied' });
    }
  }, 240_000);

  it('from the database and from Temporal in turn answers actions, and stores each row once when the connection is back', async () => {
    const now = Date.now();
    const period = { start: now + hour, end: now + 5 * hour };
    const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, 88_001);
    const delivered: number[] = [];
    const deliver = async (status: number) => {
      const channel = delivered.length === 0 ? ('registration' as const) : ('update' as const);
      const event = rental.event({ channel, status, period, car, company, createdAt: now });
      delivered.push(event.inboxId);
      await rental.deliver(event);
    };
    const story = async () => (await createTimeline(direct.db).read(rental.id, { limit: 500 })).items;
    const areStored = () =>
      eventually(
        'every event has its entry',
        async () => {
          const rows = await story();
          return delivered.every((id) => rows.some(({ data }) => data.inboxId === id));
        },
        90_000,
      );
    const events = async () => {
      const { events = [] } = await rental.handle.fetchHistory();
      return (events ?? []).map(({ eventType }) => eventType);
    };
    const commands: string[] = [];
    const act = async () => {
      const commandId = `c-${commands.length}`;
      commands.push(commandId);
      const { command } = await rental.sendAction('dispatch.staff', { commandId });
      expect(command.outcome).toBe('applied');
    };

    await deliver(5);
    await areStored();
    for (let round = 0; round < rounds; round++) {
      for (const lose of [() => toDatabase.fallSilent(), () => toDatabase.cut()]) {
        lose();
        await act();
        await deliver(5);
        await act();
        expect((await rental.view()).commands.at(-1)?.outcome).toBe('applied');
        toDatabase.comeBack();
        await areStored();
      }
      toTemporal.cut();
      await deliver(5);
      toTemporal.comeBack();
      await areStored();
      await act();
    }

    if (isLong) {
      // the worker can neither store the rows of this task nor return them
      toDatabase.fallSilent();
      await deliver(5);
      await eventually(
        'its task has begun',
        async () => (await events()).at(-1) === EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
      );
      toTemporal.cut();
      await eventually(
        'its task has timed out',
        async () => (await events()).includes(EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT),
        30_000,
      );
      toTemporal.comeBack();
      toDatabase.comeBack();
      await areStored();
      await act();
    }

    const rows = await eventually(
      'every action has its end',
      async () => {
        const found = await story();
        return (
          commands.every((id) =>
            found.some(({ data }) => data.commandId === id && data.outcome === 'applied'),
          ) && found
        );
      },
      90_000,
    );
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const lines = rows.map(({ at, rule, text, data }) => JSON.stringify([at, rule, text, data]));
    expect(new Set(lines).size).toBe(lines.length);
    for (const id of delivered) expect(rows.filter(({ data }) => data.inboxId === id)).toHaveLength(1);
  }, 240_000);
});
