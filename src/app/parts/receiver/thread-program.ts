// The callback receiver in a thread of its own; `thread.ts` starts it.
import { parentPort, workerData } from 'node:worker_threads';
import { Registry } from 'prom-client';
import { loadProfile } from '../../../platform/profiles/index.js';
import { SharedCommits } from '../../../store/connection/embedded/thread/shared-commits.js';
import { measureStatements } from '../../../store/connection/on-statement.js';
import { openCommitConnections } from '../../../store/connection/server-commit.js';
import { ShortOutages } from '../../../store/connection/short-outages.js';
import { createLogger } from '../../log.js';
import { createDatabaseMeasures } from '../../metrics/database.js';
import { createHttpMetrics } from '../../metrics/process.js';
import { notifyRarely } from '../../notify-rarely.js';
import { Stack } from '../../startup/stack.js';
import { startTracing } from '../../tracing/open.js';
import { createIntake, intakeProbeOf } from './intake.js';
import { startListener } from './listener.js';
import type { FromThread, ThreadReport, ThreadSettings, ToThread } from './messages.js';

const reportEveryMs = 1_000;

if (parentPort === null) throw new Error('this program is a thread');
const main = parentPort;
const send = (message: FromThread) => main.postMessage(message);
const { host, port, databaseUrl, logLevel, wireProfile, ...settings } = workerData as ThreadSettings;

// its parts have the names of parts of the process
const log = createLogger(logLevel, { write: (line) => send({ kind: 'line', line }) }).child({
  thread: 'receiver',
});
const stack = new Stack(log);
const profile = await loadProfile(wireProfile);
const tracing = await startTracing(process.env, { stack, log, part: 'receiver' });
const registry = new Registry();

const measure = measureStatements(createDatabaseMeasures(registry), 'commit');
// the embedded database sends ports to it, a server does not
const shared = new SharedCommits();
let isStopping = false;
const stopRequested = new Promise<void>((resolve) => {
  main.on('message', (message: ToThread) => {
    if (message.kind === 'database') return shared.connect(message.port);
    isStopping = true;
    if (message.kind === 'stop') resolve();
  });
});

const connections = await stack.start(
  'database',
  async () => (databaseUrl === undefined ? shared : openCommitConnections(databaseUrl)),
  (open) => open.close(),
);
const commit: typeof connections.commit = (statements) => measure(() => connections.commit(statements));

const outages = new ShortOutages();
let stored = 0;
const sendStored = notifyRarely(async () => {
  send({ kind: 'stored', callbacks: stored });
  stored = 0;
});
const intake = createIntake(settings, {
  profile,
  tracing,
  database: { commit },
  outages,
  registry,
  onStored() {
    stored += 1;
    sendStored();
  },
});
const server = {
  log,
  metrics: { registry, requestSeconds: createHttpMetrics(registry) },
  trusted: intake.trusted,
  isStopping: () => isStopping,
  tracing,
  intake: intake.plugin,
  probe: intakeProbeOf({ commit }, outages),
};
const url = await startListener(stack, server, { host, port, inbox: intake.inbox });

send({ kind: 'listening', url, report: await report() });
const reporting = setInterval(
  () => void report().then((current) => send({ kind: 'report', report: current })),
  reportEveryMs,
);
await stopRequested;
await stack.stop();
clearInterval(reporting);
// the thread then ends by itself, once its last messages are sent
main.close();

async function report(): Promise<ThreadReport> {
  return { figures: await intake.figures.read(), metrics: await registry.getMetricsAsJSON() };
}
