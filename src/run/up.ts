import { join } from 'node:path';
import { openHandoverDatabase } from '../db/handover.js';
import { claimPort } from '../engine/ports.js';
import { installRuntime } from '../engine/runtime.js';
import { startApiPart } from './api-part.js';
import { banner } from './banner.js';
import { showDemo } from './demo.js';
import { startSandboxPart } from './sandbox-part.js';
import { embeddedSetting, type Setting } from './setting.js';
import { untilInterrupted } from './signals.js';
import { Stack } from './stack.js';
import { openClient, startEngine } from './temporal.js';
import { startWorkerPart } from './worker-part.js';

export interface UpOptions {
  demo: boolean;
  env: NodeJS.ProcessEnv;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** `handover up`: everything in this process, until Ctrl-C. Resolves when all is stopped. */
export async function up({ demo, env }: UpOptions): Promise<void> {
  const begun = Date.now();
  const setting = await embeddedSetting(env);
  const stack = new Stack(setting.log);
  const interrupted = untilInterrupted(() => {
    say('  Stopped at once; what was under way continues at the next start.');
    process.exit(1);
  });
  const stopDemo = new AbortController();
  try {
    const running = await Promise.race([startAll(setting, stack, begun), interrupted]);
    if (typeof running === 'object') {
      const playing =
        demo && running.sandboxUrl !== undefined ? showDemo(running, stopDemo.signal) : undefined;
      await Promise.race([interrupted, running.failed]);
      stopDemo.abort();
      await playing;
    }
  } finally {
    stopDemo.abort();
    say('\n  Stopping …');
    await stack.stop();
  }
  say('  Stopped. The next start continues here.');
}

async function startAll(setting: Setting, stack: Stack, begun: number) {
  const { config, log } = setting;
  installRuntime({ log });
  // Taken up front, so that a port in use is said before anything runs.
  const apiPort = await claimPort(config.http.port, 'status API', 'HANDOVER_PORT');
  const ownPlatform = config.platform.baseUrl === undefined;
  const sandboxPort = ownPlatform ? await claimPort(config.sandbox.port, 'sandbox', 'SANDBOX_PORT') : 0;
  const fixed: Setting = { ...setting, config: { ...config, http: { ...config.http, port: apiPort } } };

  const engine = config.temporal.external
    ? undefined
    : await stack.start(
        'embedded engine',
        () => startEngine(setting, say),
        (server) => server.stop(),
      );
  const database = await stack.start(
    'database',
    () => openHandoverDatabase({ url: config.databaseUrl, folder: join(config.dataDir, 'db') }),
    (open) => open.close(),
  );
  const temporal = await openClient(setting, stack, engine);
  const receiver = `http://${reachable(config.http.host)}:${apiPort}`;
  const sandbox = ownPlatform
    ? await startSandboxPart(fixed, stack, { port: sandboxPort, receiver })
    : undefined;
  const platformUrl = config.platform.baseUrl ?? sandbox?.url ?? '';
  const { relay, failed } = await startWorkerPart(fixed, stack, { temporal, db: database.db, platformUrl });
  const apiUrl = await startApiPart(fixed, stack, {
    temporal,
    db: database.db,
    onStored: () => relay.wake(),
  });
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
  return { apiUrl, sandboxUrl: sandbox?.url, tokens: config.tokens, keys: config.sandbox.keys, failed };
}

/** An address that a process on this machine can call. */
function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}
