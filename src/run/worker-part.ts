import type { WorkflowBundlePath } from '@temporalio/worker';
import { createActivities } from '../../activities/index.js';
import { createAttentionPosts } from '../alerts/attention.js';
import { type BlobStore, openBlobStore } from '../blobs/store.js';
import { createCaseFiles } from '../cases/case-files.js';
import { taskQueue } from '../contract/names.js';
import type { HandoverDatabase } from '../db/handover.js';
import { builtBundle } from '../engine/bundle.js';
import { createWorker } from '../engine/worker.js';
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
  await startOutboxPart(config.alerts, stack, { db, sealer, log });
  const photos = await openBlobStore(config.blobs);
  const connection = await openWorkerConnection(temporal.target, stack);
  const worker = await createWorker({
    connection,
    namespace: temporal.target.namespace,
    taskQueue,
    bundle: staged.bundle ?? builtBundle(),
    dataConverter: temporal.dataConverter,
    ...(staged.graceMs !== undefined && { shutdownGraceMs: staged.graceMs }),
    ...(staged.cached !== undefined && { maxCachedWorkflows: staged.cached }),
    activities: createActivities({
      platform,
      readPhoto: reader(photos),
      record: createRecorder(db),
      ...(config.alerts.url !== undefined && { postAttention: createAttentionPosts(db, sealer) }),
      closeCase: createCaseFiles(db, sealer).close,
      roles: rolesOf(config, { temporal, db, sealer }),
    }),
  });
  const { running } = await stack.start(
    'worker',
    async () => ({ running: worker.run() }),
    async ({ running }) => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  );
  const relay = await startRelayPart(setting, stack, { temporal, database, sealer, clock });
  const failed = new Promise<never>((_, reject) => running.catch(reject));
  failed.catch(() => {}); // whoever waits for it may come later
  return { relay, failed, isPolling: () => worker.getState() === 'RUNNING' };
}

/** Photos of the store by hash; undefined where it keeps none of that hash. */
function reader(photos: BlobStore) {
  return (hash: string): Promise<Uint8Array | undefined> =>
    photos.readPhoto(hash).catch((error: { code?: string }) => {
      if (error.code === 'PHOTO_NOT_FOUND') return undefined;
      throw error;
    });
}
