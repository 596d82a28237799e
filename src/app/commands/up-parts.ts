import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Tracing } from '../../contract/tracing.js';
import { callbackOverload } from '../../inbox/relay/overload.js';
import { storedChannel } from '../../inbox/relay/shard-owner.js';
import { embeddedTarget, externalTarget } from '../../temporal/connection/connection.js';
import type { DevServer } from '../../temporal/server/dev-server.js';
import { loopback } from '../../temporal/server/ports.js';
import { installObservedRuntime } from '../../temporal/worker/sdk-metrics.js';
import { isLocalOnly } from '../config/address.js';
import { notifyRarely } from '../notify-rarely.js';
import { startApiPart } from '../parts/api.js';
import { openDatabase } from '../parts/database.js';
import { warnOfPooler } from '../parts/pooler-warning.js';
import { startReconcilingPart } from '../parts/reconciliation.js';
import { startSandboxPart } from '../parts/sandbox.js';
import { openTemporal } from '../parts/temporal.js';
import { startWorkerPart } from '../parts/worker.js';
import { WorkerHealth } from '../parts/worker-health.js';
import { collectGarbage } from '../startup/collect-garbage.js';
import { type Setting, withMeasures } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';
import { Terminal } from '../startup/terminal.js';
import type { Places } from './up-places.js';

/**
 * Starts all parts of `up` beside the engine.
 * @param startingEngine absent: Temporal is a service elsewhere
 * @param begun when the command began, in ms since the epoch
 */
export async function startParts(
  { setting: given, enginePorts, receiver, platformUrl, sandboxPort }: Places,
  stack: Stack,
  {
    startingEngine,
    tracing,
    begun,
  }: { startingEngine: Promise<DevServer> | undefined; tracing: Tracing | undefined; begun: number },
) {
  const { config, env, log } = given;
  const setting: Setting = { ...withMeasures(given), tracing };
  const runtime = await installObservedRuntime(log);
  const { port: callbackPort } = config.callbacks;
  const folder = join(config.dataDir, 'db');
  const createsDatabases = config.databaseUrl === undefined && !existsSync(join(folder, 'PG_VERSION'));
  const database = await openDatabase(setting, stack, {
    url: config.databaseUrl,
    folder,
    // the receiver then has a thread of its own: the database must not wait for that of the process either
    ownThread: callbackPort !== undefined,
  });
  void warnOfPooler(database, log);
  const target = enginePorts ? embeddedTarget(`${loopback}:${enginePorts.port}`) : externalTarget(env);
  let terminal: Terminal | undefined;
  const temporal = await openTemporal(setting, stack, {
    target,
    database,
    onUnreachable: (reason) => terminal?.unreachable(reason),
  });
  const health = new WorkerHealth(() => temporal.monitor.isConnected);
  const overload = callbackOverload();
  const wakeRelay = notifyRarely(() => database.notify(storedChannel));
  // The receiver starts before Temporal and the sandbox, so that callbacks left from the last run arrive at the first attempt.
  const apiUrl = await startApiPart(setting, stack, {
    temporal,
    database,
    platformUrl,
    uiUrl: enginePorts && `http://${loopback}:${enginePorts.uiPort}`,
    wakeRelay,
    worker: { health, sdkMetrics: runtime.sdkMetrics },
    onStored: () => {
      overload.record();
      wakeRelay();
    },
  });
  const startingSandbox =
    sandboxPort === undefined ? undefined : startSandboxPart(setting, stack, { port: sandboxPort, receiver });
  // The worker's parts come after the engine, and are stopped before it. A sandbox that does not start is reported before: to
  // provide an engine may take minutes.
  if (startingSandbox) stack.endWith(startingSandbox);
  const engine = await startingEngine;
  terminal = new Terminal(
    {
      apiUrl,
      loginToken: loginTokenOf(setting),
      sandboxUrl: sandboxPort === undefined ? undefined : platformUrl,
      platformUrl,
      callbackUrl: callbackPort === undefined ? undefined : receiver,
      temporalAddress: target.address,
      temporalUi: engine?.uiUrl,
      dataDir: config.dataDir,
      database: database.kind === 'pglite' ? 'embedded, in the data folder' : 'Postgres (DATABASE_URL)',
      tokens: config.tokens,
    },
    receiver,
  );
  temporal.monitor.onConnected(() => terminal.connected());
  temporal.monitor.start();
  await startReconcilingPart(setting, stack, temporal);
  const [sandbox] = await Promise.all([
    startingSandbox,
    startWorkerPart(setting, stack, {
      temporal,
      monitor: temporal.monitor,
      database,
      platformUrl,
      health,
      runtime,
      overload,
    }),
  ]);
  // creating them leaves 400 MB of garbage
  if (createsDatabases) collectGarbage();
  terminal.ready(Date.now() - begun);
  return {
    apiUrl,
    sandboxUrl: sandbox?.url,
    tokens: config.tokens,
    keys: config.sandbox.keys,
  };
}

/** Of the link that logs in. Only a generated token, where the service listens on this machine alone. */
function loginTokenOf({ config, env }: Setting): string | undefined {
  const areGenerated = (env.HANDOVER_TOKENS ?? '').trim() === '';
  if (!areGenerated || !isLocalOnly(config.http.host)) return undefined;
  return config.tokens.find(({ role }) => role === 'manager')?.token;
}
