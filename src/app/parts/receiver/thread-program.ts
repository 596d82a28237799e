// The callback receiver in a thread of its own; `thread.ts` starts it.
import { parentPort, workerData } from 'node:worker_threads';
import { Registry } from 'prom-client';
import { loadProfile } from '../../../platform/profiles/index.js';
import { measureStatements } from '../../../store/connection/on-statement.js';
import { openCommitConnections } from '../../../store/connection/server-commit.js';
import { assertWritable } from '../../../store/connection/writable.js';
import { createLogger } from '../../log.js';
import { createDatabaseMeasures } from '../../metrics/database.js';
import { createHttpMetrics } from '../../metrics/process.js';
import { notifyRarely } from '../../notify-rarely.js';
import { Stack } from '../../startup/stack.js';
import { startTracing } from '../../tracing/open.js';
import { createIntake } from './intake.js';
import { startListener } from './listener.js';
import type { FromThread, ThreadReport, ThreadSettings, ToThread } from './messages.js';

const reportEveryMs = 1_000;

const { config, port, databaseUrl } = workerData as ThreadSettings;
const tell = (message: FromThread) => parentPort?.postMessage(message);
const log = createLogger(config.logLevel, { write: (line) => tell({ kind: 'line', line }) });
const stack = new Stack(log);
const profile = await loadProfile(config.wireProfile);
const tracing = await startTracing(process.env, { stack, log, part: 'receiver' });
const registry = new Registry();
const measure = measureStatements(createDatabaseMeasures(registry), 'commit');
const connections = await stack.start(
  'database',
  async () => openCommitConnections(databaseUrl),
  (open) => open.close(),
);
const commit: typeof connections.commit = (statements) => measure(() => connections.commit(statements));

let stored = 0;
const tellStored = notifyRarely(async () => {
  tell({ kind: 'stored', callbacks: stored });
  stored = 0;
});
const intake = createIntake(
  { config, profile, tracing },
  {
    database: { kind: 'postgres', commit },
    registry,
    onStored() {
      stored += 1;
      tellStored();
    },
  },
);
let isStopping = false;
const server = {
  log,
  metrics: { registry, requestSeconds: createHttpMetrics(registry) },
  trusted: intake.trusted,
  isStopping: () => isStopping,
  tracing,
  intake: intake.plugin,
  probe: () => assertWritable((state) => commit({ statements: [state], inOrderOf: [] })),
};
const { host } = config.http;
const url = await startListener(stack, server, { host, port, inbox: intake.inbox });

const report = async (): Promise<ThreadReport> => ({
  figures: await intake.figures.read(),
  metrics: await registry.getMetricsAsJSON(),
});
tell({ kind: 'listening', url, report: await report() });
const reporting = setInterval(
  () => void report().then((made) => tell({ kind: 'report', report: made })),
  reportEveryMs,
);

parentPort?.on('message', (message: ToThread) => {
  isStopping = true;
  if (message === 'stop') void stop();
});

async function stop(): Promise<void> {
  await stack.stop();
  clearInterval(reporting);
  // lets the thread end by itself, once its last messages are sent
  parentPort?.close();
}
