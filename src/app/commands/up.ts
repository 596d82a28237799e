import { join } from 'node:path';
import { Overload } from '../../inbox/relay/overload.js';
import { storedChannel } from '../../inbox/relay/shard-owner.js';
import { embeddedTarget, externalTarget } from '../../temporal/connection/connection.js';
import { planEnginePorts } from '../../temporal/server/dev-server.js';
import { claimPort, loopback } from '../../temporal/server/ports.js';
import { installObservedRuntime } from '../../temporal/worker/sdk-metrics.js';
import { showDemo } from '../../tools/demo/command.js';
import { isLocalOnly, originOf } from '../config/address.js';
import { notifyRarely } from '../notify-rarely.js';
import { startApiPart } from '../parts/api.js';
import { holdEngine } from '../parts/data-folder.js';
import { openDatabase } from '../parts/database.js';
import { warnOfPooler } from '../parts/pooler-warning.js';
import { startReconcilingPart } from '../parts/reconciliation.js';
import { startSandboxPart } from '../parts/sandbox.js';
import { engineFolder, openTemporal, superviseEngine } from '../parts/temporal.js';
import { startWorkerPart } from '../parts/worker.js';
import { WorkerHealth } from '../parts/worker-health.js';
import { embeddedSetting, type Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';
import { Terminal } from '../startup/terminal.js';
import { printLine, untilStopped } from '../startup/until-stopped.js';
import { startTracing } from '../tracing/open.js';

export interface UpOptions {
  env: NodeJS.ProcessEnv;
  demo: boolean;
  /** Pause between two moves of one of the demo's stories. */
  demoPaceMs?: number;
}

/** `handover up`: everything in this process, until Ctrl-C. Resolves when all is stopped. */
export async function runUp({ demo, demoPaceMs, env }: UpOptions): Promise<void> {
  const begun = Date.now();
  const setting = await embeddedSetting(env);
  const stopDemo = new AbortController();
  let playing: Promise<void> | undefined;
  await untilStopped(
    setting,
    async (stack) => {
      const running = await startAll(setting, stack, begun);
      if (demo) playing = showDemo(running, { signal: stopDemo.signal, paceMs: demoPaceMs });
      return running;
    },
    {
      async onStopping() {
        printLine('\n  Stopping …');
        stopDemo.abort();
        await playing;
      },
      onImpatience: () => printLine('  Stopped at once; what was under way continues at the next start.'),
    },
  );
  printLine('  Stopped. The next start continues here.');
}

async function startAll(given: Setting, stack: Stack, begun: number) {
  const setting = { ...given, tracing: await startTracing(given.env, { stack, log: given.log, part: 'up' }) };
  const { config, log } = setting;
  const runtime = await installObservedRuntime(log);
  const { external } = config.temporal;
  // Reserved first, so that a port in use is reported before anything runs.
  if (!external) await holdEngine(setting, stack);
  const enginePorts = external
    ? undefined
    : await planEnginePorts({ ...config.temporal, folder: engineFolder(config) });
  const { host } = config.http;
  const apiPort = await claimPort(config.http.port, 'status API', 'HANDOVER_PORT', host);
  const ownPlatform = config.platform.baseUrl === undefined;
  const sandboxPort = ownPlatform ? await claimPort(config.sandbox.port, 'sandbox', 'SANDBOX_PORT', host) : 0;
  const { port: wanted } = config.callbacks;
  const callbackPort =
    wanted === undefined ? undefined : await claimPort(wanted, 'callback receiver', 'CALLBACK_PORT', host);
  const fixed: Setting = {
    ...setting,
    config: {
      ...config,
      consoleUrl: config.consoleUrl ?? originOf(host, apiPort),
      http: { ...config.http, port: apiPort },
      callbacks: { ...config.callbacks, ...(callbackPort !== undefined && { port: callbackPort }) },
    },
  };
  const receiver = originOf(host, callbackPort ?? apiPort);
  const platformUrl = config.platform.baseUrl ?? originOf(host, sandboxPort);
  const { endpointToken } = config.codec;
  const codecEndpoint =
    endpointToken === undefined ? undefined : `${originOf(host, apiPort)}/codec/${endpointToken}`;

  const startingEngine =
    enginePorts &&
    superviseEngine(setting, stack, { onProgress: printLine, ports: enginePorts, codecEndpoint });
  startingEngine?.catch(() => {}); // awaited below
  const database = await openDatabase(setting, stack, {
    url: config.databaseUrl,
    folder: join(config.dataDir, 'db'),
    // the receiver then has a thread of its own: the database must not wait for that of the process either
    ownThread: callbackPort !== undefined,
  });
  void warnOfPooler(database, log);
  const target = enginePorts
    ? embeddedTarget(`${loopback}:${enginePorts.port}`)
    : externalTarget(setting.env);
  let terminal: Terminal | undefined;
  const temporal = await openTemporal(fixed, stack, {
    target,
    database,
    onUnreachable: (reason) => terminal?.unreachable(reason),
  });
  const health = new WorkerHealth(() => temporal.monitor.isConnected);
  const overload = new Overload();
  const wakeRelay = notifyRarely(() => database.notify(storedChannel));
  // The receiver starts before Temporal and the sandbox, so that callbacks left from the last run arrive at the first attempt.
  const apiUrl = await startApiPart(fixed, stack, {
    temporal,
    database,
    platformUrl,
    uiUrl: enginePorts && `http://${loopback}:${enginePorts.uiPort}`,
    wakeRelay,
    worker: { health, sdkMetrics: runtime.sdkMetrics },
    onStored: () => {
      overload.recordArrival();
      wakeRelay();
    },
  });
  // The worker's parts come after the engine, and are stopped before it.
  const engine = await startingEngine;
  terminal = new Terminal(
    {
      apiUrl,
      loginToken: loginTokenOf(setting),
      sandboxUrl: ownPlatform ? platformUrl : undefined,
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
    ownPlatform ? startSandboxPart(fixed, stack, { port: sandboxPort, receiver }) : undefined,
    startWorkerPart(fixed, stack, {
      temporal,
      monitor: temporal.monitor,
      database,
      platformUrl,
      health,
      runtime,
      overload,
    }),
  ]);
  terminal.ready(Date.now() - begun);
  return {
    apiUrl,
    sandboxUrl: sandbox?.url,
    tokens: config.tokens,
    keys: config.sandbox.keys,
    ...(engine !== undefined && { failed: engine.failed }),
  };
}

/** Of the link that logs in. Only a generated token, where the service listens on this machine alone. */
function loginTokenOf({ config, env }: Setting): string | undefined {
  const areGenerated = (env.HANDOVER_TOKENS ?? '').trim() === '';
  if (!areGenerated || !isLocalOnly(config.http.host)) return undefined;
  return config.tokens.find(({ role }) => role === 'manager')?.token;
}
