import { Client } from '@temporalio/client';
import { createActivities } from '../../../activities/index.js';
import { scanActivities } from '../../../activities/scan.js';
import { scanQueueOf, taskQueue } from '../../../src/contract/names.js';
import type { BookingRequest } from '../../../src/domain/booking/types.js';
import { createPlatformClient, type PlatformClient } from '../../../src/platform/client/index.js';
import { defaultProfile } from '../../../src/platform/profiles/default/index.js';
import type { RecordedAttempt } from '../../../src/store/attempts.js';
import type { BookingStore } from '../../../src/store/bookings/bookings.js';
import { openBlobStore } from '../../../src/store/photos/store.js';
import { connectClient, connectWorker, embeddedTarget } from '../../../src/temporal/connection/connection.js';
import { createScanWorker } from '../../../src/temporal/worker/worker.js';
import { testDataConverter } from '../codec.js';
import { installTestRuntime } from '../engine-log.js';
import { noBookings } from '../fake-bookings.js';
import { noRoles } from '../roles.js';
import { createWorker } from '../whole-worker.js';
import {
  type DatabaseCall,
  type FromParent,
  memoTrap,
  type TrapPoint,
  type WorkerSetting,
} from './messages.js';

/**
 * A worker in a process of its own, to be killed: the product's parts around a platform client that stops for ever at
 * the trap points. The embedded database serves one process, so rows go to the parent, which writes them for real.
 */
const setting: WorkerSetting = JSON.parse(process.argv[2] ?? '');
const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
let asked = 0;
const activityTraps = [...(setting.activityTraps ?? [])];

process.on('message', ({ answerTo, result, error }: FromParent) => {
  const call = waiting.get(answerTo);
  waiting.delete(answerTo);
  if (error === undefined) call?.resolve(result);
  else call?.reject(new Error(error));
});
process.on('disconnect', () => process.exit(1));

function askParent(name: DatabaseCall, input: unknown): Promise<unknown> {
  asked += 1;
  const id = asked;
  process.send?.({ kind: 'call', id, name, input });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}
const inParent =
  (name: DatabaseCall) =>
  async (input: unknown): Promise<void> => {
    await askParent(name, input);
  };
const bookingStore = new Proxy({} as BookingStore, {
  get:
    (_, name) =>
    (...args: [ActivityInput | string, ...unknown[]]) =>
      between(`bookingStore.${String(name)}`, bookingIn(args[0]), () =>
        askParent('atBookings', { name, args }),
      ),
});

/** The client with its trap points. A trap says that it is reached, and never returns. */
function trapped(platform: PlatformClient): PlatformClient {
  const stop = async (at: TrapPoint, reservationId: number) => {
    if (!setting.traps[at].includes(reservationId)) return;
    process.send?.({ kind: 'reached', at, reservationId });
    await new Promise(() => {});
  };
  return new Proxy(platform, {
    get(target, name, receiver) {
      const member = Reflect.get(target, name, receiver);
      if (name === 'book') {
        return (request: BookingRequest, ...rest: unknown[]) =>
          between('platform.book', request.pickupMemo, () => member.call(target, request, ...rest));
      }
      if (typeof member !== 'function' || !/^(dispatch|recall|addCarMemo)/.test(String(name))) return member;
      return async (...args: [number, ...unknown[]]) => {
        const trap = name === 'addCarMemo' ? memoTrap(reservationNamedIn(args)) : args[0];
        await stop('before-request', trap);
        const answer = await member.call(target, ...args);
        await stop('after-answer', trap);
        return answer;
      };
    },
  });
}

/** A recall's note names its reservation (F58). */
function reservationNamedIn(args: unknown[]): number {
  return Number(/\[reservation (\d+)\]/.exec(JSON.stringify(args))?.[1]);
}

/** Activities with their traps: one that is trapped never begins, or never reports its result. */
function withTraps<A extends object>(activities: A): A {
  const wrapped = Object.entries(activities).map(([name, act]) => [
    name,
    async (input: ActivityInput, ...rest: unknown[]) => {
      const about = input?.carId ?? input?.facts?.carId ?? input?.scheduleId ?? bookingIn(input);
      return between(name, about, () => act(input, ...rest));
    },
  ]);
  return Object.fromEntries(wrapped);
}

/** One step of an activity, or a whole one, between its two traps. */
async function between<T>(
  step: string,
  about: number | string | undefined,
  run: () => Promise<T>,
): Promise<T> {
  await stop(step, 'before-request', about);
  const result = await run();
  await stop(step, 'after-answer', about);
  return result;
}

async function stop(activity: string, at: TrapPoint, about: number | string | undefined): Promise<void> {
  const index = activityTraps.findIndex(
    (trap) => trap.activity === activity && trap.at === at && (trap.about === null || trap.about === about),
  );
  const [trap] = index < 0 ? [] : activityTraps.splice(index, 1);
  if (trap === undefined) return;
  process.send?.({ kind: 'trapped', trap });
  await new Promise(() => {});
}

interface OfBooking {
  commandId?: string;
}
type ActivityInput =
  | ({ carId?: number; scheduleId?: number; facts?: { carId: number } } & OfBooking & {
        start?: OfBooking;
        booking?: OfBooking;
      })
  | undefined;
function bookingIn(input: ActivityInput | string): string | undefined {
  if (typeof input === 'string') return input;
  return input?.commandId ?? input?.start?.commandId ?? input?.booking?.commandId;
}

installTestRuntime();
const platform = createPlatformClient({
  baseUrl: setting.platformUrl,
  profile: defaultProfile,
  // an answer that the platform never sends is waited for as long as the activity may last: the worker is killed before
  timeoutMs: 60_000,
  keys: {
    supplier: setting.supplierKey,
    ...(setting.channelKey !== undefined && { channel: setting.channelKey }),
  },
});
const photos = await openBlobStore({ kind: 'folder', path: setting.photos });
const target = embeddedTarget(setting.address);
const shared = {
  connection: await connectWorker(target),
  namespace: setting.namespace,
  dataConverter: testDataConverter,
};
const client = new Client({
  connection: await connectClient(target),
  namespace: setting.namespace,
  dataConverter: testDataConverter,
});
const scanner = await createScanWorker({
  ...shared,
  taskQueue: scanQueueOf(taskQueue),
  perSecond: 1_000,
  activities: withTraps(scanActivities(platform, noRoles)),
});
const worker = await createWorker({
  ...shared,
  taskQueue,
  bundle: { codePath: setting.bundle },
  activities: withTraps(
    createActivities({
      platform: trapped(platform),
      readPhoto: photos.readPhoto,
      attempts: {
        record: (id, runId) =>
          between('attempts.record', id.command.replace(/^booking:/, ''), async () => {
            return (await askParent('recordAttempt', { id, runId })) as RecordedAttempt;
          }),
      },
      record: inParent('record'),
      audit: async () => {},
      recordHold: inParent('recordHold'),
      holdBefore: async () => ({ holdId: null }),
      closeCase: inParent('closeCase'),
      roles: { ...noRoles, client },
      bookings: { ...noBookings, client, queue: taskQueue, bookingStore },
    }),
  ),
});
process.send?.({ kind: 'runs' });
await Promise.all([worker.run(), scanner.run()]);
