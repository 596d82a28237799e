import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { reconciliationActivities, sliceActivity } from '../../activities/reconciliation.js';
import { createLogger } from '../../src/app/log.js';
import { scanQueueOf, taskQueue } from '../../src/contract/names.js';
import {
  type ReconciliationResult,
  reconciliationId,
  reconciliationWorkflow,
} from '../../src/contract/reconciliation.js';
import type { ScheduleEntry } from '../../src/domain/reservation/index.js';
import { createPlatformClient } from '../../src/platform/client/index.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import type { FleetName } from '../../src/sandbox/fleet/fleets.js';
import { createAlerts } from '../../src/store/alerts/alerts.js';
import { createRoleGate } from '../../src/store/alerts/role-gate.js';
import { openHandoverDatabase } from '../../src/store/handover.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { reconciliationStart } from '../../src/temporal/client/reconciliation.js';
import { connectClient, connectWorker, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { startDevServer } from '../../src/temporal/server/dev-server.js';
import { provideEngine } from '../../src/temporal/server/provision/provide.js';
import { builtBundle } from '../../src/temporal/worker/bundle.js';
import { installRuntime } from '../../src/temporal/worker/runtime.js';
import { createScanWorker, createWorkflowWorker } from '../../src/temporal/worker/worker.js';
import { replaceWorkflowThread } from '../../src/temporal/worker/workflow-thread.js';
import { startStage } from '../sandbox/stage.js';
import { reserve } from './fleet.js';
import { openReservations } from './open.js';

const logger = createLogger('warn');
installRuntime({ log: logger });
replaceWorkflowThread({ log: logger });
const settings = { reconciliation: { everyMs: 0, days: { back: 1, ahead: 30 } } };
const rates = [
  { name: 'default rate', perSecond: 20 },
  { name: 'no bound', perSecond: 9_999 },
];
const mb = (bytes: number) => Math.round(bytes / 2 ** 20);

/** Measures a fleet and prints one row per reconciliation. */
export async function* measureReconciliation(fleet: FleetName, folder: string): AsyncGenerator<string> {
  await mkdir(folder, { recursive: true });
  let entries: ScheduleEntry[] = [];
  const stage = await startStage({
    fleet,
    folder: join(folder, 'sandbox'),
    databaseUrl: undefined,
    async prepare(db) {
      entries = await reserve(db);
    },
  });
  const binary = await provideEngine('dev-server', { onProgress: (line) => logger.warn(line) });
  const engine = await startDevServer({ binary, folder: join(folder, 'engine'), port: 0, uiPort: 0 });
  const target = embeddedTarget(engine.address);
  const connection = await connectClient(target);
  const nativeConnection = await connectWorker(target);
  const database = await openHandoverDatabase({ folder: join(folder, 'db') });
  try {
    await registerSearchAttributes(connection, target.namespace);
    const client = new Client({ connection, namespace: target.namespace });
    await openReservations(client, entries);
    yield `${fleet}: ${entries.length} cars, each with an open reservation`;
    const { db } = database;
    const alerts = createAlerts(db, {
      sealer: createSealer([{ id: 'bench', key: randomBytes(32) }]),
      post: false,
    });
    const platform = createPlatformClient({
      baseUrl: stage.url,
      profile: defaultProfile,
      keys: { supplier: stage.supplierKey },
    });
    const settings = { probeMs: 1_000, historyEventsPerRun: 1_000 };
    const gate = createRoleGate(alerts);
    const roles = { client, queue: taskQueue, alerts, gate, settings, moveStranded: async () => false };
    const worker = await createWorkflowWorker({
      connection: nativeConnection,
      namespace: target.namespace,
      taskQueue,
      bundle: builtBundle(),
      activities: reconciliationActivities({ client, db, alerts }),
    });
    const serving = worker.run();
    for (const { name, perSecond } of rates) {
      const scanner = await createScanWorker({
        connection: nativeConnection,
        namespace: target.namespace,
        perSecond,
        taskQueue: scanQueueOf(taskQueue),
        activities: sliceActivity(platform, roles, db),
        shutdownGraceMs: 1_000,
      });
      const lines: string[] = [];
      await scanner.runUntil(async () => {
        for (const round of ['first', 'again']) lines.push(`  ${name}, ${round}: ${await once(client)}`);
      });
      yield* lines;
    }
    worker.shutdown();
    await serving;
    await platform.close();
  } finally {
    await database.close();
    await connection.close();
    await nativeConnection.close();
    await engine.stop();
    await stage.stop();
  }
}

async function once(client: Client): Promise<string> {
  const before = process.memoryUsage().rss;
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  const begun = performance.now();
  const handle = await client.workflow.start(reconciliationWorkflow, {
    workflowId: reconciliationId,
    taskQueue,
    args: [reconciliationStart(settings, defaultProfile)],
  });
  const { entries, agree, told: notified }: ReconciliationResult = await handle.result();
  const seconds = (performance.now() - begun) / 1_000;
  clearInterval(looking);
  const figures = {
    ...(await historyFigures(client)),
    seconds: Math.round(seconds * 10) / 10,
    entries,
    agree,
    notified,
    rssMb: mb(before),
    growthMb: mb(most - before),
  };
  return JSON.stringify(figures);
}

/** Requests and events of the run, and the times for reading and for comparing. */
async function historyFigures(client: Client) {
  const handle = client.workflow.getHandle(reconciliationId);
  const { events } = await handle.fetchHistory();
  const { historySize } = await handle.describe();
  const at = (event: { eventTime?: { seconds?: unknown; nanos?: number | null } | null }) =>
    Number(event.eventTime?.seconds ?? 0) + (event.eventTime?.nanos ?? 0) / 1e9;
  const scheduled = new Map<string, { type: string; at: number }>();
  const ended: { type: string; from: number; to: number }[] = [];
  for (const event of events ?? []) {
    const begun = event.activityTaskScheduledEventAttributes;
    if (begun) scheduled.set(`${event.eventId}`, { type: begun.activityType?.name ?? '', at: at(event) });
    const done = event.activityTaskCompletedEventAttributes;
    const of = done && scheduled.get(`${done.scheduledEventId}`);
    if (of) ended.push({ type: of.type, from: of.at, to: at(event) });
  }
  const span = (type: string) => {
    const own = ended.filter((one) => one.type === type);
    if (own.length === 0) return 0;
    const seconds = Math.max(...own.map(({ to }) => to)) - Math.min(...own.map(({ from }) => from));
    return Math.round(seconds * 100) / 100;
  };
  return {
    requests: ended.filter(({ type }) => type === 'readScheduleSlice').length,
    readSeconds: span('readScheduleSlice'),
    compareSeconds: span('compareSchedule'),
    notifySeconds: span('tellReservations'),
    events: events?.length ?? 0,
    historyKb: Math.round((historySize ?? 0) / 1_024),
  };
}
