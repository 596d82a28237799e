import type { Worker, WorkflowBundlePath } from '@temporalio/worker';
import { createActivities } from '../../activities/index.js';
import { reconciliationActivities } from '../../activities/reconciliation.js';
import { scanActivities } from '../../activities/scans.js';
import { sliceActivity } from '../../activities/schedule-slice.js';
import { createAlerts } from '../alerts/alerts.js';
import { createAttentionPosts } from '../alerts/attention.js';
import { writeAudit } from '../audit/audit.js';
import { type BlobStore, openBlobStore } from '../blobs/store.js';
import { createBookingDesk } from '../bookings/desk.js';
import { createCaseFiles } from '../cases/case-files.js';
import { carsChannel } from '../catalogue/changes.js';
import { scanQueueOf, taskQueue } from '../contract/names.js';
import type { HandoverDatabase } from '../db/handover.js';
import { builtBundle } from '../engine/bundle.js';
import { createPacedWorker, createWorker } from '../engine/worker.js';
import { createHoldRecorder, createTurns } from '../holds/store.js';
import { createAnnouncements } from '../intake/announcements.js';
import type { OneActive } from '../intake/one-active.js';
import { createRecorder } from '../intake/record.js';
import type { Rush } from '../intake/rush.js';
import { toldAtMost } from '../intake/told-at-most.js';
import { createSealer } from '../sealing/sealer.js';
import { rolesOf } from './alerts-part.js';
import { startOutboxPart } from './outbox-part.js';
import { startPlatformClient } from './platform.js';
import { startRelayPart } from './relay-part.js';
import type { Setting } from './setting.js';
import type { Stack } from './stack.js';
import { openWorkerConnection, type TemporalClient } from './temporal.js';

export interface WorkerPart {
  /** Active, or standing by. */
  relay: OneActive;
  /** Rejects when the worker dies by itself. */
  failed: Promise<never>;
  isPolling(): boolean;
}

export interface WorkerPartDeps {
  temporal: TemporalClient;
  database: HandoverDatabase;
  platformUrl: string;
  /** Of the receiver in this process, if there is one: the relay makes way for it. */
  rush?: Rush;
  /** What a rehearsal has of its own: the clock, the bundle where this is no build, the patience with the platform. */
  staged?: {
    clock?: () => number;
    bundle?: WorkflowBundlePath;
    timeoutMs?: number;
    graceMs?: number;
    cached?: number;
  };
}

/**
 * Starts worker and relay: the platform client, the activities, the workflows, and what carries waiting events to
 * them. Stopped in the opposite order: the relay finishes its send, then the worker drains.
 */
export async function startWorkerPart(
  setting: Setting,
  stack: Stack,
  { temporal, database, platformUrl, rush, staged = {} }: WorkerPartDeps,
): Promise<WorkerPart> {
  const { config, profile, log } = setting;
  const { clock = Date.now } = staged;
  const { db } = database;
  const sealer = createSealer(config.codec.keys);
  const platform = await startPlatformClient(setting, stack, {
    baseUrl: platformUrl,
    timeoutMs: staged.timeoutMs,
  });
  await startOutboxPart(config, stack, { db, sealer, log });
  const photos = await openBlobStore(config.blobs);
  const roles = rolesOf(config, { temporal, db, sealer });
  const shared = {
    connection: await openWorkerConnection(temporal.target, stack),
    namespace: temporal.target.namespace,
    dataConverter: temporal.dataConverter,
    ...(staged.graceMs !== undefined && { shutdownGraceMs: staged.graceMs }),
  };
  const scanner = await createPacedWorker({
    ...shared,
    taskQueue: scanQueueOf(taskQueue),
    perSecond: config.platform.scansPerSecond,
    activities: { ...scanActivities(platform, roles), ...sliceActivity(platform, roles, db) },
  });
  const cases = createCaseFiles(db, sealer);
  const alerts = createAlerts(db, { sealer, post: config.alerts.url !== undefined });
  const worker = await createWorker({
    ...shared,
    taskQueue,
    bundle: staged.bundle ?? builtBundle(),
    ...(staged.cached !== undefined && { maxCachedWorkflows: staged.cached }),
    activities: {
      ...createActivities({
        platform,
        readPhoto: reader(photos),
        record: createRecorder(db),
        ...(config.alerts.url !== undefined && { postAttention: createAttentionPosts(db, sealer) }),
        carsChanged: toldAtMost(() => database.notify(carsChannel)),
        audit: (entry) => writeAudit(db, sealer, entry),
        holdBefore: createTurns(db),
        recordHold: createHoldRecorder(db, { sealer, alerts: roles.alerts }),
        closeCase: cases.close,
        roles,
        bookings: {
          client: temporal.client,
          alerts: roles.alerts,
          desk: createBookingDesk(db, sealer, createAnnouncements(db, { wire: profile.callbacks, sealer })),
          policy: setting.policy,
          isClosed: cases.has,
        },
      }),
      ...reconciliationActivities({ client: temporal.client, db, alerts }),
    },
  });
  const workers = [
    await startWorker('scan worker', scanner, stack),
    await startWorker('worker', worker, stack),
  ];
  const relay = await startRelayPart(setting, stack, { temporal, database, sealer, clock, rush });
  const failed = new Promise<never>((_, reject) =>
    Promise.all(workers.map(({ running }) => running)).catch(reject),
  );
  failed.catch(() => {}); // whoever waits for it may come later
  return { relay, failed, isPolling: () => worker.getState() === 'RUNNING' };
}

/** @returns in an object, so that it is not awaited: settles when the worker has ended */
function startWorker(name: string, worker: Worker, stack: Stack): Promise<{ running: Promise<void> }> {
  return stack.start(
    name,
    async () => ({ running: worker.run() }),
    async ({ running }) => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  );
}

/** Photos of the store by hash; undefined where it keeps none of that hash. */
function reader(photos: BlobStore) {
  return (hash: string): Promise<Uint8Array | undefined> =>
    photos.readPhoto(hash).catch((error: { code?: string }) => {
      if (error.code === 'PHOTO_NOT_FOUND') return undefined;
      throw error;
    });
}
