import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createHoldRecorder } from '../../src/store/holds/store.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import type { ActivityTrap, TrapPoint } from '../support/crash/messages.js';
import { startTrappedWorker } from '../support/crash/started-worker.js';
import type { WorkerProcess } from '../support/crash/worker-process.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, platformKeys, startHandoverParts } from '../support/handover-parts.js';
import { createSureClient, type SureClient } from '../support/platform-client.js';

/**
 * The worker's process is killed (SIGKILL) while holds stand before and after each of their activities, one hold for each
 * boundary: first those of placing, then those of undoing. Each has a car and a product of its own; the sandbox is the judge.
 */
const day = 86_400_000;
const points: TrapPoint[] = ['before-request', 'after-answer'];
const placing = [
  'readCar',
  'addSchedule',
  'addCarMemo',
  'recordHold',
  'holdBefore',
  'listProductIds',
  'carInProduct',
  'setSaleStatus',
];
const undoing = ['carInProduct', 'setSaleStatus', 'changeSchedule', 'recordHold'];
/** A hold that has not begun: its entry is deleted. */
const undoingAhead = ['deleteSchedule'];

interface Case {
  activity: string;
  at: TrapPoint;
  ahead: boolean;
  carId: number;
  productId: number;
  holdId: string;
}
const cases = { placing: [] as Case[], undoing: [] as Case[] };

const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
let platform: SureClient;
let worker: WorkerProcess;

beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database);
  const { url: baseUrl } = parts.sandbox;
  platform = createSureClient({ baseUrl, profile: defaultProfile, keys: platformKeys });
  const prepare = async (activity: string, at: TrapPoint, ahead = false): Promise<Case> => {
    const carNumber = `car-${activity}-${at}-${ahead}-${cases.placing.length + cases.undoing.length}`;
    const { body: car } = await parts.platform.control('POST', '/cars', { businessLicenseId: 11, carNumber });
    const { carId } = car;
    const product = {
      businessLicenseId: 11,
      productName: carNumber,
      carIds: [carId],
      farePlan: { fareId: 701 },
    };
    const { body } = await parts.platform.control('POST', '/products', product);
    return { activity, at, ahead, carId, productId: body.productId, holdId: `hold-of-${carId}` };
  };
  for (const at of points) {
    for (const activity of placing) cases.placing.push(await prepare(activity, at));
    for (const activity of undoing) cases.undoing.push(await prepare(activity, at));
    for (const activity of undoingAhead) cases.undoing.push(await prepare(activity, at, true));
  }
});
afterAll(async () => {
  await worker?.kill();
  await platform?.close();
  await parts?.stop();
  await database?.close();
});

const { raise, clear } = { raise: async () => false, clear: async () => false };
function startWorker(activityTraps: ActivityTrap[]): Promise<WorkerProcess> {
  const sealer = createSealer(parts.setting.config.codec.keys);
  const recordHold = createHoldRecorder(database.db, { sealer, alerts: { raise, clear } });
  return startTrappedWorker(parts, database, { activityTraps }, { recordHold });
}

function make({ carId, holdId, ahead }: Case, startsIn = 0) {
  const start = Date.now() + (ahead ? day : startsIn);
  const json = {
    carId,
    startAt: new Date(start).toISOString(),
    endAt: new Date(start + day).toISOString(),
    reason: 'maintenance',
    withdrawFromSale: true,
  };
  return parts.ask('POST', '/api/holds', { key: holdId, json });
}
const release = ({ holdId }: Case) =>
  parts.ask('DELETE', `/api/holds/${holdId}`, { key: `release-${holdId}` });
const holdOf = async ({ holdId }: Case) => (await parts.ask('GET', `/api/holds/${holdId}`)).body;
const reaches = (one: Case, states: string[]) =>
  eventually(
    `the hold killed ${one.at} ${one.activity} is ${states.join(' or ')}`,
    async () => states.includes((await holdOf(one)).state),
    120_000,
    500,
  );
const entriesOf = async ({ carId }: Case) => {
  const [startDate, endDate] = [Date.now() - 2 * day, Date.now() + 9 * day].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  ) as [string, string];
  const groups = await platform.listSchedules({ startDate, endDate });
  return groups.flatMap((group) => (group.carId === carId ? group.schedules : []));
};
const saleOf = async ({ productId }: Case) => (await platform.listRelatedCars(productId))[0]?.saleYn;
const memosOf = async ({ carId }: Case) => (await platform.listCarMemos(carId)).length;

/** The worker dies while every one of them waits at its trap; another worker continues. */
async function killedAt(traps: ActivityTrap[], sendAll: () => Promise<unknown>[]): Promise<void> {
  worker = await startWorker(traps);
  const answers = sendAll();
  await eventually(
    'every activity stands at its trap',
    () => worker.trapped.length === traps.length,
    120_000,
    100,
  );
  await worker.kill();
  worker = await startWorker([]);
  await Promise.all(answers);
}

describe('killed while holds are placed', () => {
  beforeAll(async () => {
    const traps = cases.placing.map(({ activity, at, carId }) => {
      return { activity, at, about: activity === 'listProductIds' ? null : carId };
    });
    await killedAt(traps, () => cases.placing.map((one) => make(one)));
  }, 300_000);

  it('F06: each hold is placed completely, once', async () => {
    for (const one of cases.placing) {
      await reaches(one, ['active']);
      const found = { entries: await entriesOf(one), sale: await saleOf(one), memos: await memosOf(one) };
      expect(found, `${one.at} ${one.activity}`).toMatchObject({
        entries: [{ scheduleType: 'S' }],
        sale: 'N',
        memos: 1,
      });
      expect(found.entries).toHaveLength(1);
    }
  });
});

describe('killed while holds are released', () => {
  beforeAll(async () => {
    await Promise.all(cases.undoing.map((one) => make(one)));
    for (const one of cases.undoing) await reaches(one, ['active', 'planned']);
    // an entry that began a minute ago is shortened, not deleted
    const begun = cases.undoing.filter(({ ahead }) => !ahead);
    await eventually(
      'the entries have begun a minute ago',
      async () => {
        const { period } = await holdOf(begun.at(-1) as Case);
        return Date.now() - Date.parse(period.start.replace(/(\d\d)(\d\d)$/, '$1:$2')) > 62_000;
      },
      90_000,
      1_000,
    );
    const traps = await Promise.all(
      cases.undoing.map(async (one) => {
        const { activity, at, carId } = one;
        const { schedule } = await holdOf(one);
        return { activity, at, about: activity === 'deleteSchedule' ? schedule.scheduleId : carId };
      }),
    );
    await worker.kill();
    await killedAt(traps, () => cases.undoing.map(release));
  }, 400_000);

  it('F10: each hold is undone completely, once', async () => {
    for (const one of cases.undoing) {
      await reaches(one, ['released']);
      const ahead = (await entriesOf(one)).filter(({ endAt }) => endAt > Date.now());
      const found = { ahead, sale: await saleOf(one), memos: await memosOf(one) };
      expect(found, `${one.at} ${one.activity}`).toEqual({ ahead: [], sale: 'Y', memos: 1 });
      expect(await entriesOf(one)).toHaveLength(one.ahead ? 0 : 1);
    }
  });
});
