import type { Worker, WorkflowBundlePath } from '@temporalio/worker';
import { createActivities } from '../../activities/index.js';
import { scanActivities } from '../../activities/scans.js';
import { createAttentionPosts } from '../alerts/attention.js';
import { writeAudit } from '../audit/audit.js';
import { type BlobStore, openBlobStore } from '../blobs/store.js';
import { createCaseFiles } from '../cases/case-files.js';
import { scanQueueOf, taskQueue } from '../contract/names.js';
import type { HandoverDatabase } from '../db/handover.js';
import { builtBundle } from '../engine/bundle.js';
import { createPacedWorker, createWorker } from '../engine/worker.js';
import type { OneActive } from '../intake/one-active.js';
import { createRecorder } from '../intake/record.js';
import { createPlatformClient } from '../platform/client/index.js';
import { createSealer } from '../sealing/sealer.js';
import { rolesOf } from './alerts-part.js';
import { startOutboxPart } from './outbox-part.js';
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
  { temporal, database, platformUrl, staged = {} }: WorkerPartDeps,
): Promise<WorkerPart> {
  const { config, profile, log } = setting;
  const { clock = Date.now } = staged;
  const { db } = database;
  const sealer = createSealer(config.codec.keys);
  const { channelKey, supplierKey } = config.platform;
  const platform = await stack.start(
    'platform client',
    async () =>
      createPlatformClient({
        baseUrl: platformUrl,
        profile,
        ...(staged.timeoutMs !== undefined && { timeoutMs: staged.timeoutMs }),
        keys: {
          ...(channelKey !== undefined && { channel: channelKey }),
          ...(supplierKey !== undefined && { supplier: supplierKey }),
        },
      }),
    (client) => client.close(),
  );
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
    activities: scanActivities(platform, roles),
  });
  const worker = await createWorker({
    ...shared,
    taskQueue,
    bundle: staged.bundle ?? builtBundle(),
    ...(staged.cached !== undefined && { maxCachedWorkflows: staged.cached }),
    activities: createActivities({
      platform,
      readPhoto: reader(photos),
      record: createRecorder(db),
      ...(config.alerts.url !== undefined && { postAttention: createAttentionPosts(db, sealer) }),
      audit: (entry) => writeAudit(db, sealer, entry),
      closeCase: createCaseFiles(db, sealer).close,
      roles,
    }),
  });
  const workers = [
    await startWorker('scan worker', scanner, stack),
    await startWorker('worker', worker, stack),
  ];
  const relay = await startRelayPart(setting, stack, { temporal, database, sealer, clock });
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
