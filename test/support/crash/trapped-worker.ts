import { createActivities } from '../../../activities/index.js';
import { openBlobStore } from '../../../src/blobs/store.js';
import { taskQueue } from '../../../src/contract/names.js';
import { connectWorker, embeddedTarget } from '../../../src/engine/connection.js';
import { createWorker } from '../../../src/engine/worker.js';
import { createPlatformClient, type PlatformClient } from '../../../src/platform/client/index.js';
import { defaultProfile } from '../../../src/platform/profiles/default/index.js';
import { testDataConverter } from '../codec.js';
import { installTestRuntime } from '../engine-log.js';
import { noBookings } from '../fake-bookings.js';
import { noRoles } from '../roles.js';
import type { DatabaseCall, FromParent, TrapPoint, WorkerSetting } from './messages.js';

/**
 * A worker in a process of its own, to be killed: the product's parts around a platform client that stops for ever at
 * the trap points. The embedded database serves one process, so rows go to the parent, which writes them for real.
 */
const setting: WorkerSetting = JSON.parse(process.argv[2] ?? '');
const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
let asked = 0;

process.on('message', ({ answerTo, error }: FromParent) => {
  const call = waiting.get(answerTo);
  waiting.delete(answerTo);
  if (error === undefined) call?.resolve();
  else call?.reject(new Error(error));
});
process.on('disconnect', () => process.exit(1));

const inParent =
  (name: DatabaseCall) =>
  (input: unknown): Promise<void> => {
    asked += 1;
    const id = asked;
    process.send?.({ kind: 'call', id, name, input });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };

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
      if (typeof member !== 'function' || !/^(dispatch|recall)/.test(String(name))) return member;
      return async (reservationId: number, ...rest: unknown[]) => {
        await stop('before-request', reservationId);
        const answer = await member.call(target, reservationId, ...rest);
        await stop('after-answer', reservationId);
        return answer;
      };
    },
  });
}

installTestRuntime();
const platform = createPlatformClient({
  baseUrl: setting.platformUrl,
  profile: defaultProfile,
  keys: { supplier: setting.supplierKey },
});
const photos = await openBlobStore({ kind: 'folder', path: setting.photos });
const worker = await createWorker({
  connection: await connectWorker(embeddedTarget(setting.address)),
  namespace: setting.namespace,
  taskQueue,
  bundle: { codePath: setting.bundle },
  dataConverter: testDataConverter,
  activities: createActivities({
    platform: trapped(platform),
    readPhoto: (hash) => photos.readPhoto(hash),
    record: inParent('record'),
    audit: async () => {},
    recordHold: inParent('recordHold'),
    holdBefore: async () => ({ holdId: null }),
    closeCase: inParent('closeCase'),
    roles: noRoles,
    bookings: noBookings,
  }),
});
process.send?.({ kind: 'runs' });
await worker.run();
