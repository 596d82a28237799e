import { join } from 'node:path';
import { checkEnginePorts } from '../engine/dev-server.js';
import { claimPort } from '../engine/ports.js';
import { installRuntime } from '../engine/runtime.js';
import { storedChannel } from '../intake/one-active.js';
import { Rush } from '../intake/rush.js';
import { toldAtMost } from '../intake/told-at-most.js';
import { startApiPart } from './api-part.js';
import { banner } from './banner.js';
import { holdEngine } from './data-folder.js';
import { openDatabase } from './database.js';
import { showDemo } from './demo.js';
import { startReconciling } from './reconciliation-schedule.js';
import { startSandboxPart } from './sandbox-part.js';
import { embeddedSetting, type Setting } from './setting.js';
import type { Stack } from './stack.js';
import { engineFolder, openClient, startEngine } from './temporal.js';
import { say, untilStopped } from './until-stopped.js';
import { startWorkerPart } from './worker-part.js';

export interface UpOptions {
  env: NodeJS.ProcessEnv;
  demo: boolean;
  /** Pause between two moves of one of the demo's stories. */
  demoPaceMs?: number;
}

/** `handover up`: everything in this process, until Ctrl-C. Resolves when all is stopped. */
export async function up({ demo, demoPaceMs, env }: UpOptions): Promise<void> {
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
        say('\n  Stopping …');
        stopDemo.abort();
        await playing;
      },
      onImpatience: () => say('  Stopped at once; what was under way continues at the next start.'),
    },
  );
  say('  Stopped. The next start continues here.');
}

async function startAll(setting: Setting, stack: Stack, begun: number) {
  const { config, log } = setting;
  installRuntime({ log });
  // Looked at up front, so that a port in use is said before anything runs.
  if (!config.temporal.external) {
    await holdEngine(setting, stack);
    await checkEnginePorts({ ...config.temporal, folder: engineFolder(config) });
  }
  const apiPort = await claimPort(config.http.port, 'status API', 'HANDOVER_PORT', config.http.host);
  const ownPlatform = config.platform.baseUrl === undefined;
  const sandboxPort = ownPlatform
    ? await claimPort(config.sandbox.port, 'sandbox', 'SANDBOX_PORT', config.http.host)
    : 0;
  const fixed: Setting = { ...setting, config: { ...config, http: { ...config.http, port: apiPort } } };
  const address = (port: number) => `http://${reachable(config.http.host)}:${port}`;
  const platformUrl = config.platform.baseUrl ?? address(sandboxPort);
  const { endpointToken } = config.codec;
  const codecEndpoint =
    endpointToken === undefined ? undefined : `${address(apiPort)}/codec/${endpointToken}`;

  const [engine, database] = await Promise.all([
    config.temporal.external ? undefined : startEngine(setting, stack, say, codecEndpoint),
    openDatabase(stack, { url: config.databaseUrl, folder: join(config.dataDir, 'db') }),
  ]);
  const temporal = await openClient(setting, stack, engine);
  const rush = new Rush();
  const tellRelay = toldAtMost(() => database.notify(storedChannel));
  // The receiver is there before the sandbox: callbacks that wait since the last time arrive at the first try.
  const apiUrl = await startApiPart(fixed, stack, {
    temporal,
    db: database.db,
    lockHolder: database.lockHolder,
    session: database.session,
    platformUrl,
    uiUrl: engine?.uiUrl,
    onStored: () => {
      rush.arrived();
      tellRelay();
    },
  });
  const [sandbox, worker] = await Promise.all([
    ownPlatform
      ? startSandboxPart(fixed, stack, { port: sandboxPort, receiver: address(apiPort) })
      : undefined,
    startWorkerPart(fixed, stack, { temporal, database, platformUrl, rush }),
  ]);
  await startReconciling(setting, temporal.client);
  say(
    banner({
      apiUrl,
      sandboxUrl: sandbox?.url,
      platformUrl,
      temporalAddress: temporal.target.address,
      temporalUi: engine?.uiUrl,
      dataDir: config.dataDir,
      database: database.kind === 'pglite' ? 'embedded, in the data folder' : 'Postgres (DATABASE_URL)',
      tokens: config.tokens,
      readyAfterMs: Date.now() - begun,
    }),
  );
  const failed = Promise.race([worker.failed, engine?.failed ?? worker.failed]);
  return { apiUrl, sandboxUrl: sandbox?.url, tokens: config.tokens, keys: config.sandbox.keys, failed };
}

/** An address that a process on this machine can call. */
function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}
