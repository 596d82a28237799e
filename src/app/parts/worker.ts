import type { WorkflowBundlePath } from '@temporalio/worker';
import { createActivities } from '../../../activities/index.js';
import { reconciliationActivities, sliceActivity } from '../../../activities/reconciliation.js';
import { scanActivities } from '../../../activities/scan.js';
import { taskQueue } from '../../contract/names.js';
import { createAnnouncements } from '../../inbox/announcements.js';
import type { Rate } from '../../inbox/relay/rate.js';
import type { ShardOwner } from '../../inbox/relay/shard-owner.js';
import { createAttentionPosts } from '../../outbox/attention-posts.js';
import { createAlerts } from '../../store/alerts/alerts.js';
import { createAttempts } from '../../store/attempts.js';
import { writeAudit } from '../../store/audit.js';
import { createBookingStore } from '../../store/bookings/bookings.js';
import { carsChannel } from '../../store/cars/changes.js';
import { recordCarWrite } from '../../store/cars/writes.js';
import type { HandoverDatabase } from '../../store/handover.js';
import { createHoldRecorder, createTurns } from '../../store/holds/store.js';
import { type BlobStore, openBlobStore } from '../../store/photos/store.js';
import { createCaseFiles } from '../../store/reservations/case-files.js';
import { createEndedReservations, isClosedBy } from '../../store/reservations/ended.js';
import { createOpenRows } from '../../store/reservations/open-rows.js';
import { createRecorder } from '../../store/reservations/record.js';
import { createStoredRows } from '../../store/reservations/stored-rows.js';
import { createPersonHashes } from '../../store/sealing/person-hashes.js';
import { createSealer } from '../../store/sealing/sealer.js';
import type { TemporalClient } from '../../temporal/client/create-client.js';
import { reconcilesEvery } from '../../temporal/client/reconciliation.js';
import type { NotifyDeps } from '../../temporal/client/reservations/notify.js';
import { moveStrandedRoles } from '../../temporal/client/roles.js';
import type { ConnectionMonitor } from '../../temporal/connection/connection-monitor.js';
import { builtBundle } from '../../temporal/worker/bundle.js';
import type { ObservedRuntime } from '../../temporal/worker/sdk-metrics.js';
import { replaceWorkflowThread } from '../../temporal/worker/workflow-thread.js';
import { notifyRarely } from '../notify-rarely.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';
import { rolesOf } from './alerts.js';
import { erasureDuty } from './erasure.js';
import { startOutboxPart } from './outbox.js';
import { startPlatformClient } from './platform.js';
import { startRelayPart } from './relay.js';
import type { WorkerHealth } from './worker-health.js';
import { startWorkerWatch } from './worker-watch.js';
import { ProcessWorkers } from './workers.js';
import { startWorkflowWatch } from './workflow-watch.js';

export interface WorkerPart {
  /** Of this process's shards. */
  relay: ShardOwner;
  workers: ProcessWorkers;
}

export interface WorkerPartDeps {
  temporal: TemporalClient;
  /** Of the connection to Temporal; absent: it is there, and has the search attributes. */
  monitor?: Pick<ConnectionMonitor, 'connected' | 'isConnected'>;
  database: HandoverDatabase;
  platformUrl: string;
  /** Called with the parts as soon as they begin. */
  health?: WorkerHealth;
  /** Absent: nothing watches the tasks of the worker. */
  runtime?: ObservedRuntime;
  /** Load of the receiver in this process, if there is one: the relay sheds load for it. */
  overload?: Rate;
  /** A rehearsal's own settings: the clock, the bundle where this is no build, the timeout of the platform. */
  staged?: {
    clock?: () => number;
    bundle?: WorkflowBundlePath;
    timeoutMs?: number;
    graceMs?: number;
    cached?: number;
  };
}

/**
 * Starts worker and relay: the platform client, the activities, the workflows, and the relay that sends waiting events to
 * them. Without Temporal only the workers wait: posts are sent, and the relay's process watches the inbox. A stop has the
 * opposite order: the relay finishes its send, then the workers drain.
 * @returns when the workers run for the first time
 * @throws Error when everything stops before that
 */
export async function startWorkerPart(
  setting: Setting,
  stack: Stack,
  { temporal, monitor, database, platformUrl, health, runtime, overload, staged = {} }: WorkerPartDeps,
): Promise<WorkerPart> {
  const { config, profile, log } = setting;
  const { clock = Date.now } = staged;
  const { db, prompt } = database;
  const sealer = createSealer(config.codec.keys, config.codec);
  // each with a connection for each of its slots: where they shared some, bookings would wait behind other calls
  const platformWith = (connections: number) =>
    startPlatformClient(setting, stack, { baseUrl: platformUrl, timeoutMs: staged.timeoutMs, connections });
  const { slots } = config.worker;
  const platform = await platformWith(slots.platform);
  const bookingPlatform = await platformWith(slots.bookings);
  const scanPlatform = await platformWith(slots.scans);
  await startOutboxPart(config, stack, { db, sealer, log });
  const photos = await openBlobStore(config.blobs, temporal.dataKeys);
  const roles = rolesOf(setting, { temporal, prompt, sealer });
  const openRows = createOpenRows(sealer, config.codec.keys);
  const cases = createCaseFiles(prompt, sealer, config.codec.keys);
  const ended = createEndedReservations(prompt);
  const announcements = createAnnouncements(db, { wire: profile.callbacks, sealer });
  const bookingStore = createBookingStore({
    db,
    prompt,
    sealer,
    announcements,
    persons: createPersonHashes(config.codec.keys),
  });
  const notify: NotifyDeps = {
    client: temporal.client,
    queue: taskQueue,
    policy: setting.policy,
    direct: config.codec.writesDataKeys,
    notified: bookingStore.markNotified,
    isClosed: isClosedBy(cases, ended),
  };
  const alerts = createAlerts(db, { sealer, post: config.alerts.url !== undefined });
  const activities = {
    ...createActivities({
      platform,
      bookingPlatform,
      readPhoto: createPhotoReader(photos),
      attempts: createAttempts(prompt),
      record: createRecorder(prompt, openRows, setting.measures.onJudged),
      ...(config.alerts.url !== undefined && { postAttention: createAttentionPosts(prompt, sealer) }),
      carsChanged: notifyRarely(() => database.notify(carsChannel)),
      audit: ({ answered, ...entry }) =>
        prompt.transaction(async (tx) => {
          await writeAudit(tx, sealer, entry);
          if (answered !== undefined) await recordCarWrite(tx, sealer, entry.commandId, answered);
        }),
      holdBefore: createTurns(prompt),
      recordHold: createHoldRecorder(prompt, { sealer, alerts: roles.alerts }),
      closeCase: cases.close,
      roles,
      bookings: { ...notify, alerts: roles.alerts, bookingStore },
    }),
    ...reconciliationActivities({ client: temporal.client, db, alerts }),
  };
  replaceWorkflowThread({ log, stackTraces: config.temporal.stackTraces });
  const workers = await stack.start(
    'workers',
    async () => {
      const made = new ProcessWorkers(setting, {
        temporal,
        monitor,
        bundle: staged.bundle ?? builtBundle(),
        activities,
        scans: { ...scanActivities(scanPlatform, roles), ...sliceActivity(scanPlatform, roles, db) },
        cached: staged.cached,
        graceMs: staged.graceMs,
      });
      made.start();
      return made;
    },
    (running) => running.stop(),
  );
  const isConnected = monitor && (() => monitor.isConnected);
  // a rehearsal's server cannot list search attributes, and never loses them
  if (staged.clock === undefined) {
    const reconcilesEveryMs = reconcilesEvery(config);
    await startWorkflowWatch(stack, {
      db,
      session: database.session,
      sealer,
      log,
      notify,
      ended,
      storedRows: createStoredRows(db, openRows),
      alerts,
      reconcilesEveryMs,
      ...(isConnected && { isConnected }),
    });
  }
  const erasure = erasureDuty(setting, { temporal, db, sealer, photos, alerts, isConnected });
  if (runtime !== undefined) {
    runtime.onLostTask(() => workers.replace('lossy'));
    await startWorkerWatch(stack, {
      temporal,
      alerts,
      sdkMetrics: runtime.sdkMetrics,
      log,
      onStalled: () => workers.replace('stalled'),
      ...(isConnected && { isConnected }),
    });
  }
  const duties = staged.clock === undefined ? [erasure] : [];
  const relayDeps = { temporal, database, sealer, clock, isConnected, overload, duties };
  const relay = await startRelayPart(setting, stack, relayDeps);
  health?.attach({ workers, relay });
  await workers.running();
  await moveStrandedRoles(roles.moveStranded, log);
  return { relay, workers };
}

/** Reads photos of the store by hash; undefined where it has none of that hash. */
function createPhotoReader(photos: BlobStore) {
  return (hash: string, reservationId: number): Promise<Uint8Array | undefined> =>
    photos.readPhoto(hash, reservationId).catch((error: { code?: string }) => {
      if (error.code === 'PHOTO_NOT_FOUND') return undefined;
      throw error;
    });
}
